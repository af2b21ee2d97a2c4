package io.agenthooks;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The reason of a hook that withheld the result of a call, for operators.
 *
 * @param hook the name of the hook
 * @param reason why, as the model reads it
 * @param rule the rule by which it is so, or {@code null} if the hook names none
 * @since 0.1.0
 */
public record Withheld(String hook, String reason, @Nullable HookRule rule) {

	/** Create it; the texts become safe lines. */
	public Withheld {
		hook = SafeText.name(Objects.requireNonNull(hook, "'hook' must not be null"));
		reason = HookDecision.reasonOf(reason);
	}

}
