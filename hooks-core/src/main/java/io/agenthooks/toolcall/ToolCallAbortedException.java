package io.agenthooks.toolcall;

import java.util.Locale;

import io.agenthooks.AbortScope;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.SafeText;

/**
 * A hook ended more than the call: the turn or the run of the agent; or the call waits
 * for people, and the turn ends until they have decided.
 *
 * @since 0.1.0
 */
public abstract sealed class ToolCallAbortedException extends AgentAbortedException
		permits TurnAbortedException, RunAbortedException, TurnSuspendedException {

	private final transient ToolCall call;

	ToolCallAbortedException(ToolCall call, String hook, String reason, AbortScope scope) {
		super("The hook '%s' aborted the %s at the call of the tool '%s': %s".formatted(hook,
				scope.name().toLowerCase(Locale.ROOT), SafeText.name(call.tool()), reason), hook, reason, scope);
		this.call = call;
	}

	/** Create the exception of a turn that ends without an abort. */
	ToolCallAbortedException(String message, ToolCall call, String hook, String reason) {
		super(message, hook, reason, AbortScope.TURN);
		this.call = call;
	}

	static ToolCallAbortedException of(ToolCall call, String hook, ToolDecision.Abort abort) {
		return switch (abort.scope()) {
			case TURN -> new TurnAbortedException(call, hook, abort.reason());
			case RUN -> new RunAbortedException(call, hook, abort.reason());
		};
	}

	/**
	 * The call at which the hook aborted, or that waits.
	 * @return the call
	 */
	public ToolCall getCall() {
		return this.call;
	}

}
