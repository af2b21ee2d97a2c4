package io.agenthooks.redact;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.pattern.Budget;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Redacts secrets and personal data in arguments before they leave the application or
 * reach listeners: for later hooks that ask an endpoint, a program or a model, for what
 * learns how calls ended, and in events. The tool gets its arguments as they are, and so
 * do policies and all other hooks inside the application. It decides nothing itself,
 * unless its strategy is to deny calls whose arguments hold something; arguments that are
 * too large to be searched in about a quarter of a second are not sent.
 *
 * @since 0.1.0
 */
public final class RedactArgumentsHook implements PreToolHook, ArgumentsMask {

	private final Redactor redactor;

	/**
	 * Create a hook.
	 * @param config what to take out, and what to put into its place
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public RedactArgumentsHook(RedactConfig config) {
		this.redactor = new Redactor(config);
	}

	@Override
	public boolean mayAsk() {
		return false;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		if (!this.redactor.isDenying()) {
			return ToolDecision.approve();
		}
		try {
			Set<String> found = this.redactor.find(call.arguments(), new Budget());
			return (found.isEmpty()) ? ToolDecision.approve()
					: ToolDecision.deny("The arguments hold what must not be sent: " + String.join(", ", found));
		}
		catch (Budget.ExhaustedException ex) {
			return ToolDecision.deny("The arguments are too large to be searched for what must not be sent");
		}
	}

	/** The denial depends on the call alone, so what a later hook writes is seen, too. */
	@Override
	public boolean isRepeatable() {
		return this.redactor.isDenying();
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public @Nullable Map<String, @Nullable Object> mask(Map<String, @Nullable Object> arguments) {
		return this.redactor.redactStrictly(arguments);
	}

}
