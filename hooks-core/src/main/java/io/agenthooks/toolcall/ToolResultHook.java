package io.agenthooks.toolcall;

import java.util.function.BiFunction;
import java.util.function.Predicate;

import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.chain.HookEntry;

/**
 * Sees what a tool returned, or what a {@link PreToolHook} answered, before the agent
 * does, and may replace it. It does not see denials. Of what a tool throws it sees the
 * {@linkplain ToolExecutor#failureText text} that the model will read, as a failed
 * result. A hook is called by many threads at once. One that throws or returns
 * {@code null} withholds the result: the agent gets an error in its place.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface ToolResultHook extends ToolHook {

	/**
	 * Decide about a result.
	 * @param call the call as the tool got it, or as it was answered
	 * @param result the result, as the hooks before this one left it
	 * @return {@code Approve} to keep the result, {@code Respond} to replace it,
	 * {@code Deny} to withhold it: the agent gets the reason as an error, {@code Abort}
	 * to end the turn or the run. Any other decision withholds it, too.
	 */
	ToolDecision onResult(ToolCall call, ToolResult result);

	/**
	 * A hook that replaces results.
	 * @param replacement makes of a call and its result what the agent gets; an equal
	 * result keeps it
	 * @return the hook
	 */
	static ToolResultHook replacing(BiFunction<ToolCall, ToolResult, ToolResult> replacement) {
		return (call, result) -> {
			ToolResult replaced = replacement.apply(call, result);
			return (result.equals(replaced)) ? ToolDecision.approve() : ToolDecision.respond(replaced);
		};
	}

	/**
	 * A hook under another name.
	 * @param name the name
	 * @param hook the hook
	 * @return the named hook
	 */
	static ToolResultHook named(String name, ToolResultHook hook) {
		return EnteredToolHook.replacing(HookEntry.of(hook).named(name));
	}

	/**
	 * A hook for some tools only; it does not see the results of the others.
	 * @param tools whether the hook is for a tool of this name, such as
	 * {@link Glob#anyOf(String...) Glob.anyOf("run_*")}, or a {@link ToolScope}
	 * @param hook the hook
	 * @return the narrowed hook
	 */
	static ToolResultHook forTools(Predicate<String> tools, ToolResultHook hook) {
		return EnteredToolHook.replacing(HookEntry.of(hook).forTargets(ToolScope.ofNames(tools)));
	}

	/**
	 * A hook for calls of some agents, roles, workspaces or sessions only.
	 * @param contexts whether the hook is for calls of this context
	 * @param hook the hook
	 * @return the narrowed hook
	 */
	static ToolResultHook forContexts(Predicate<CallContext> contexts, ToolResultHook hook) {
		return EnteredToolHook.replacing(HookEntry.of(hook).forContexts(contexts));
	}

	/**
	 * A hook that keeps the result as it is when the hook itself fails. Each such result
	 * is marked in the {@linkplain ToolOutcome#failedOpen() outcome}.
	 * @param hook the hook
	 * @return the hook that fails open
	 */
	static ToolResultHook failOpen(ToolResultHook hook) {
		return EnteredToolHook.replacing(HookEntry.of(hook).failingOpen());
	}

	/**
	 * A hook as a dry run: it decides, what it would have done is logged, and the result
	 * stays as it is.
	 * @param hook the hook
	 * @return the observing hook
	 */
	static ToolResultHook observeOnly(ToolResultHook hook) {
		return EnteredToolHook.replacing(HookEntry.of(hook).observing());
	}

}
