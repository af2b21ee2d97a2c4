package io.agenthooks.toolcall;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;

/**
 * A hook that asks people about a call.
 *
 * @param hook the name of the hook, as one safe line; empty while no chain has named it
 * @param rule the name of the rule that wants it, as one safe line, or {@code null} if
 * the hook names none
 * @since 0.1.0
 */
public record Asker(String hook, @Nullable String rule) {

	public Asker {
		hook = SafeText.name(hook);
		rule = (rule != null) ? SafeText.name(rule) : null;
	}

	/**
	 * The hook and its rule, as people read them.
	 * @return one line
	 */
	public String describe() {
		return this.hook + ((this.rule != null) ? ", rule " + this.rule : "");
	}

}
