package io.agenthooks.spring.metrics;

import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Names and tags of the meters. A bean of this type replaces them.
 * <p>
 * A tag must have few values, and must never hold arguments, sessions, URLs or reasons.
 *
 * @since 0.1.0
 */
public interface ToolCallMetricsConvention {

	/**
	 * The tool of a call whose name no executor knows, and what is beyond the bound of
	 * names.
	 */
	String UNKNOWN = "unknown";

	/** The value of a tag that has none. */
	String NONE = "none";

	/**
	 * The name of the timer of calls, hooks included.
	 * @return {@code hooks.tool.call}
	 */
	default String toolCallName() {
		return "hooks.tool.call";
	}

	/**
	 * The tags of the timer of calls.
	 * @param tool the name of the tool, or {@value #UNKNOWN}
	 * @param outcome how the call ended
	 * @return the tags {@code tool}, {@code outcome} and {@code hook}, which settled it
	 */
	default Tags toolCallTags(String tool, ToolOutcome outcome) {
		return Tags.of("tool", tool, "outcome", outcome.status().value(), "hook",
				settledBy(outcome.decision().verdict(), outcome.decidedBy()));
	}

	/**
	 * The name of the timer of model calls, hooks included.
	 * @return {@code hooks.llm.call}
	 */
	default String llmCallName() {
		return "hooks.llm.call";
	}

	/**
	 * The tags of the timer of model calls. The name of the model is none of them, for
	 * the caller chooses it.
	 * @param outcome how the call ended
	 * @return the tags {@code outcome} and {@code hook}
	 */
	default Tags llmCallTags(LlmOutcome outcome) {
		return Tags.of("outcome", outcome.status().value(), "hook",
				settledBy(outcome.decision().verdict(), outcome.decidedBy()));
	}

	/**
	 * The name of the timer of runs, hooks included.
	 * @return {@code hooks.run}
	 */
	default String runName() {
		return "hooks.run";
	}

	/**
	 * The tags of the timer of runs.
	 * @param outcome how the run ended
	 * @return the tags {@code outcome} and {@code hook}
	 */
	default Tags runTags(RunOutcome outcome) {
		return Tags.of("outcome", outcome.status().value(), "hook",
				settledBy(outcome.decision().verdict(), outcome.decidedBy()));
	}

	/**
	 * The name of the timer of hooks.
	 * @return {@code hooks.hook}
	 */
	default String hookName() {
		return "hooks.hook";
	}

	/**
	 * The tags of the timer of hooks.
	 * @param hook the name of the hook
	 * @param type its type
	 * @param verdict its verdict; {@code failed} if it failed, {@value #NONE} for a
	 * post-call hook
	 * @return the tags {@code hook}, {@code type} and {@code verdict}
	 */
	default Tags hookTags(String hook, String type, String verdict) {
		return Tags.of("hook", hook, "type", type, "verdict", verdict);
	}

	/**
	 * The name of the counter of hooks that failed while the call passed.
	 * @return {@code hooks.failed.open}
	 */
	default String failedOpenName() {
		return "hooks.failed.open";
	}

	/**
	 * The name of the counter of calls that a hook would have denied or aborted if it did
	 * more than observe.
	 * @return {@code hooks.would.deny}
	 */
	default String wouldDenyName() {
		return "hooks.would.deny";
	}

	/**
	 * The name of the counter of questions to people.
	 * @return {@code hooks.approvals}
	 */
	default String approvalsName() {
		return "hooks.approvals";
	}

	/**
	 * The tags of the counter of questions to people.
	 * @param state what became of a question, such as {@code expired}
	 * @return the tag {@code state}
	 */
	default Tags approvalsTags(String state) {
		return Tags.of("state", state);
	}

	/**
	 * The name of the gauge of threads that still run a hook whose time is over.
	 * @return {@code hooks.threads.abandoned}
	 */
	default String abandonedThreadsName() {
		return "hooks.threads.abandoned";
	}

	/**
	 * The name of the counter of hooks, listeners and approvers that exceeded their time.
	 * @return {@code hooks.timeouts}
	 */
	default String timeoutsName() {
		return "hooks.timeouts";
	}

	/**
	 * The name of the counter of calls that skipped a hook, listener or approver because
	 * too many of its threads hang.
	 * @return {@code hooks.skipped}
	 */
	default String skippedName() {
		return "hooks.skipped";
	}

	/**
	 * The name of the counter of notifications that were sent and did not arrive.
	 * @return {@code hooks.notifications.failed}
	 */
	default String failedNotificationsName() {
		return "hooks.notifications.failed";
	}

	/**
	 * The name of the counter of notifications that a full queue dropped.
	 * @return {@code hooks.notifications.dropped}
	 */
	default String droppedNotificationsName() {
		return "hooks.notifications.dropped";
	}

	/**
	 * The name of the counter of tools that were found unguarded, with the tag {@code
	 * tool}: models and servers choose their names, so all beyond the first hundred are
	 * {@value #UNKNOWN}.
	 * @return {@code hooks.unguarded}
	 */
	default String unguardedName() {
		return "hooks.unguarded";
	}

	/**
	 * The name of the counter of tools that a hook hid, each time that one would have
	 * been offered, with the tags {@code hook} and {@code tool}: servers choose names,
	 * too, so all beyond the first hundred are {@value #UNKNOWN}.
	 * @return {@code hooks.hidden}
	 */
	default String hiddenName() {
		return "hooks.hidden";
	}

	/**
	 * The name of the gauge that is 1 while a hook cannot decide, because what it asks is
	 * down.
	 * @return {@code hooks.down}
	 */
	default String downName() {
		return "hooks.down";
	}

	/**
	 * The name of the gauge of what limits have left: the least of all keys with a recent
	 * call. No tag names a key.
	 * @return {@code hooks.limit.remaining}
	 */
	default String remainingCallsName() {
		return "hooks.limit.remaining";
	}

	/**
	 * The name of the counter of replies that a hook dropped because no call waited for
	 * them, or they could not be read.
	 * @return {@code hooks.replies.dropped}
	 */
	default String droppedRepliesName() {
		return "hooks.replies.dropped";
	}

	/**
	 * The tags of the counters of one hook.
	 * @param hook the name of the hook
	 * @return the tag {@code hook}
	 */
	default Tags hookTags(String hook) {
		return Tags.of("hook", hook);
	}

	private static String settledBy(Verdict verdict, @Nullable String hook) {
		boolean settled = verdict == Verdict.DENY || verdict == Verdict.RESPOND || verdict == Verdict.ABORT;
		return (settled && hook != null) ? hook : NONE;
	}

}
