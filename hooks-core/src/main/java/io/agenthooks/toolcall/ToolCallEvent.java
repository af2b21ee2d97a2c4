package io.agenthooks.toolcall;

/**
 * Something that happened to a tool call. Every call begins with {@link Started} and ends
 * with exactly one {@link Ended}. Where a tool is {@link Hidden} there is no call.
 * <p>
 * Events hold the arguments and results of calls, which may be secret; their
 * {@code toString()} does not tell them.
 *
 * @since 0.1.0
 */
public sealed interface ToolCallEvent {

	/**
	 * The call as it was when this happened.
	 * @return the call
	 */
	ToolCall call();

	/**
	 * The agent made a call; no hook was asked yet.
	 *
	 * @param call the call
	 * @since 0.1.0
	 */
	record Started(ToolCall call) implements ToolCallEvent {
	}

	/**
	 * A hook, or the person who approved, changed the arguments.
	 *
	 * @param before the call as it was
	 * @param call the call as it is now
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	record Modified(ToolCall before, ToolCall call, String hook) implements ToolCallEvent {
	}

	/**
	 * A {@link ToolResultHook} replaced or withheld the result.
	 *
	 * @param call the call
	 * @param before the result as it was
	 * @param result the result as it is now
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	record ResultReplaced(ToolCall call, ToolResult before, ToolResult result, String hook) implements ToolCallEvent {
	}

	/**
	 * The approver is asked.
	 *
	 * @param call the call with its final arguments
	 * @param question what the hook asks
	 * @param hook the name of the hook that asks
	 * @since 0.1.0
	 */
	record ApprovalRequested(ToolCall call, ToolDecision.Ask question, String hook) implements ToolCallEvent {
	}

	/**
	 * The approver answered, or failed to. There is none if the question is kept and
	 * still waits: then {@link Suspended} follows.
	 *
	 * @param call the call that the approver was asked about
	 * @param question what the hook asked
	 * @param answer what holds now: no answer is a denial
	 * @param hook the name of the hook that asked
	 * @since 0.1.0
	 */
	record ApprovalSettled(ToolCall call, ToolDecision.Ask question, ToolDecision answer,
			String hook) implements ToolCallEvent {
	}

	/**
	 * A hook denied the call because a budget is used up; {@link Denied} follows.
	 *
	 * @param call the call
	 * @param reason which budget
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	record BudgetExceeded(ToolCall call, String reason, String hook) implements ToolCallEvent {
	}

	/**
	 * A hook, or the approver, threw or decided nothing.
	 *
	 * @param call the call
	 * @param hook the name of the hook, or of the one that asked the approver
	 * @param failure the class of what it threw, or what else was wrong; its message may
	 * be secret
	 * @since 0.1.0
	 */
	record HookFailed(ToolCall call, String hook, String failure) implements ToolCallEvent {
	}

	/**
	 * A hook failed open: the call goes on.
	 *
	 * @param call the call
	 * @param hook the name of the hook
	 * @param failure what failed, without secrets
	 * @since 0.1.0
	 */
	record FailedOpen(ToolCall call, String hook, String failure) implements ToolCallEvent {
	}

	/**
	 * A tool was not offered, because a hook would deny every call of it. Nobody made a
	 * call: this is not a part of the events of one.
	 *
	 * @param call a call of the tool as it would be made, without arguments and under an
	 * id that no call has
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	record Hidden(ToolCall call, String hook) implements ToolCallEvent {
	}

	/**
	 * The call is over: the one last event of every call.
	 *
	 * @since 0.1.0
	 */
	sealed interface Ended extends ToolCallEvent {

		/**
		 * Return the outcome of the call.
		 * @return the outcome, as post-call hooks saw it
		 */
		ToolOutcome outcome();

		@Override
		default ToolCall call() {
			return outcome().effective();
		}

		/**
		 * The event of an outcome.
		 * @param outcome how a call ended
		 * @return the event that says so
		 */
		static Ended of(ToolOutcome outcome) {
			return switch (outcome.status()) {
				case SUCCEEDED -> new Succeeded(outcome);
				case FAILED -> new Failed(outcome);
				case DENIED -> new Denied(outcome);
				case ANSWERED -> new Answered(outcome);
				case ABORTED -> new Aborted(outcome);
				case PENDING -> new Suspended(outcome);
				case DISABLED -> new ToolsDisabled(outcome);
			};
		}

	}

	/**
	 * The tool ran and did what it was asked to.
	 *
	 * @param outcome how the call ended
	 * @since 0.1.0
	 */
	record Succeeded(ToolOutcome outcome) implements Ended {
	}

	/**
	 * The tool ran and reported a failure, or threw.
	 *
	 * @param outcome how the call ended
	 * @since 0.1.0
	 */
	record Failed(ToolOutcome outcome) implements Ended {
	}

	/**
	 * The call was denied.
	 *
	 * @param outcome how the call ended
	 * @since 0.1.0
	 */
	record Denied(ToolOutcome outcome) implements Ended {
	}

	/**
	 * A hook answered the call.
	 *
	 * @param outcome how the call ended
	 * @since 0.1.0
	 */
	record Answered(ToolOutcome outcome) implements Ended {
	}

	/**
	 * The turn or the run ended with the call.
	 *
	 * @param outcome how the call ended
	 * @since 0.1.0
	 */
	record Aborted(ToolOutcome outcome) implements Ended {
	}

	/**
	 * The call waits for people, and the turn ends until they have decided.
	 *
	 * @param outcome how the call ended for now
	 * @since 0.1.0
	 */
	record Suspended(ToolOutcome outcome) implements Ended {
	}

	/**
	 * The call was refused because tools are switched off.
	 *
	 * @param outcome how the call ended
	 * @since 0.1.0
	 */
	record ToolsDisabled(ToolOutcome outcome) implements Ended {
	}

}
