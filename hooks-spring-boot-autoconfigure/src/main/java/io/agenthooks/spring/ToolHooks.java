package io.agenthooks.spring;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHook;

/**
 * The active hooks around tool calls, as a bean: lists them, adds some and removes them
 * at run time, and switches all tools off. The options choose calls by the name of the
 * tool.
 *
 * @since 0.1.0
 */
public interface ToolHooks extends ActiveHooks<ToolHook> {

	/**
	 * Switch all tools off: every call is denied at once, without asking a hook.
	 * @throws IllegalStateException if there are executors that are not guarded, which
	 * may be where there were no hooks at the start: their tools still run
	 */
	void disableTools();

	/** Switch tools on again. */
	void enableTools();

	/**
	 * Whether tools may run.
	 * @return {@code true} unless they are switched off
	 */
	boolean areToolsEnabled();

	/**
	 * Say what would happen to a call, without asking a hook that reaches further than
	 * the call itself: one that calls an endpoint, a program or a model, or is a bean
	 * that does not {@linkplain io.agenthooks.Hook#isExplainable() say} that it may be
	 * asked for this. Such a hook is listed without a verdict.
	 * <p>
	 * Runs no tool, asks no person, and leaves no trace: no event, metric or audit
	 * record, and nothing is cached or remembered as aborted.
	 * @param call the call
	 * @return what would happen
	 */
	default Explanation explain(ToolCall call) {
		return explain(call, false);
	}

	/**
	 * Say what would happen to a call.
	 * @param call the call
	 * @param live whether to ask every hook, also those that call an endpoint, a program
	 * or a model: these then do what they do about a real call
	 * @return what would happen
	 */
	Explanation explain(ToolCall call, boolean live);

	/**
	 * Say that a run is over, so that its id may be used again even if a hook had aborted
	 * it.
	 * @param run the id of the run
	 * @return whether a hook had aborted it
	 */
	boolean endRun(String run);

	/**
	 * Say that a session is over, so that its calls may go on, or its id may be used
	 * again, even if a hook had aborted a call of it that knew no run. Decisions of
	 * people that are remembered for the session are forgotten, and approvals that no
	 * call has used are void.
	 * @param session the id of the session
	 * @param user the user of its calls; with {@code null} an abort of calls without a
	 * user ends, and decisions about those of all users
	 * @param agent the agent of its calls; with {@code null} an abort of calls without an
	 * agent ends, and decisions about those of all agents
	 * @return whether a hook had aborted it
	 * @throws RuntimeException if the decisions cannot be forgotten, because their store
	 * fails
	 */
	boolean endSession(String session, @Nullable String user, @Nullable String agent);

}
