package io.agenthooks.redact;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Redacts secrets and personal data in arguments before they leave the application or
 * reach listeners: for later hooks that ask an endpoint, a program or a model, for what
 * learns how calls ended, and in events. The tool gets its arguments as they are, and so
 * do policies and all other hooks inside the application. It decides nothing itself;
 * arguments that are too large to be searched in about a quarter of a second are not
 * sent.
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
		return ToolDecision.approve();
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
