package io.agenthooks.toolcall;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.Gate;
import io.agenthooks.chain.HookEntry;

/**
 * What an application may change about a {@link ToolHookChain} while calls pass it: its
 * hooks, who watches, whether tools may run, how large arguments may be, and which
 * aborted runs are over.
 */
abstract class ToolHookChainControls {

	final Gate<ToolCall, ToolResult, ToolDecision, ToolCallEvent> gate;

	private volatile int maxArgumentsSize = ToolHookChain.DEFAULT_MAX_ARGUMENTS_SIZE;

	ToolHookChainControls(Gate<ToolCall, ToolResult, ToolDecision, ToolCallEvent> gate) {
		this.gate = gate;
	}

	/**
	 * Put other hooks into the place of all present ones. Calls that are under way keep
	 * the hooks that they began with.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public void replaceHooks(List<? extends PreToolHook> preCall, List<? extends ToolResultHook> results,
			List<? extends PostToolHook> postCall) {
		this.gate.setHooks(ToolKind.hooks(preCall, results, postCall));
	}

	/**
	 * Put other hooks, with what is said about each, into the place of all present ones.
	 * Calls that are under way keep the hooks that they began with.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public void replaceEntries(List<HookEntry<PreToolHook>> preCall, List<HookEntry<ToolResultHook>> results,
			List<HookEntry<PostToolHook>> postCall) {
		this.gate.setHooks(ToolKind.entries(preCall, results, postCall));
	}

	/**
	 * Let others watch the calls that come from now on, in place of those who did.
	 * @param watches they begin in this order, and end in the other
	 */
	public void setWatches(List<CallWatch> watches) {
		this.gate.setWatches(watches);
	}

	/**
	 * Switch all tools on or off. While they are off every call is denied without asking
	 * a hook. One that waits for a hook or an approval is denied when that has answered;
	 * a tool that already runs is not stopped.
	 * @param enabled whether tools may run
	 */
	public void setToolsEnabled(boolean enabled) {
		this.gate.setClosed((enabled) ? null : "Tools are switched off");
	}

	/**
	 * Whether tools may run.
	 * @return {@code true} unless switched off
	 */
	public boolean isToolsEnabled() {
		return this.gate.isOpen();
	}

	/**
	 * Set how large the arguments of a call may be. One with larger arguments is denied
	 * without asking a hook, and so is one whose arguments a hook makes larger.
	 * @param maxArgumentsSize the most characters that they may have as JSON
	 */
	public void setMaxArgumentsSize(int maxArgumentsSize) {
		if (maxArgumentsSize < 2) {
			throw new IllegalArgumentException("'maxArgumentsSize' must be 2 or more");
		}
		this.maxArgumentsSize = maxArgumentsSize;
	}

	/**
	 * How large the arguments of a call may be. Who reads arguments from a text refuses a
	 * longer one before reading it.
	 * @return the most characters that they may have as JSON
	 */
	public int getMaxArgumentsSize() {
		return this.maxArgumentsSize;
	}

	/**
	 * Forget that a run was aborted: it is over, and another may begin under its id.
	 * @param run the id of the run
	 * @return whether it had been aborted
	 */
	public boolean endRun(String run) {
		return this.gate.abortedRuns().endRun(run);
	}

	/**
	 * Forget that a run was aborted, and hand on how.
	 * @param run the id of the run
	 * @param heir gets how the run was aborted, if it was, before that is forgotten
	 */
	public void endRun(String run, Consumer<AbortedRuns.Abortion> heir) {
		this.gate.abortedRuns().endRun(run, heir);
	}

	/**
	 * Forget that a session was aborted, by a call that knew no run: it is over, and
	 * another may begin under its id.
	 * @param session the id of the session
	 * @param user the user of its calls, or {@code null} if they have none
	 * @param agent the agent of its calls, or {@code null} if they have none
	 * @return whether it had been aborted
	 */
	public boolean endSession(String session, @Nullable String user, @Nullable String agent) {
		return this.gate.abortedRuns().endSession(session, user, agent);
	}

	/**
	 * Why the tool cannot be called like this, or {@code null}.
	 */
	@Nullable String objection(ToolCall call, ToolExecutor executor) {
		return (isTooLarge(call)) ? tooLarge() : executor.objection(call);
	}

	boolean isTooLarge(ToolCall call) {
		return call.length() > this.maxArgumentsSize;
	}

	String tooLarge() {
		return "The arguments are too large: they may have %d characters".formatted(this.maxArgumentsSize);
	}

}
