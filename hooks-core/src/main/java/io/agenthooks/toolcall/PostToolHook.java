package io.agenthooks.toolcall;

import java.util.function.Predicate;

import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.chain.HookEntry;

/**
 * Learns how a tool call ended. Every post-call hook sees every call exactly once,
 * including the ones that a {@link PreToolHook} settled. What it throws is logged and
 * changes nothing.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface PostToolHook extends ToolHook {

	/**
	 * Learn how a call ended.
	 * @param outcome how it ended
	 */
	void postCall(ToolOutcome outcome);

	/**
	 * A hook under another name.
	 * @param name the name
	 * @param hook the hook
	 * @return the named hook
	 */
	static PostToolHook named(String name, PostToolHook hook) {
		return EnteredToolHook.learning(HookEntry.of(hook).named(name));
	}

	/**
	 * A hook for some tools only.
	 * @param tools whether the hook is for a tool of this name, such as
	 * {@link Glob#anyOf(String...) Glob.anyOf("run_*")}, or a {@link ToolScope}
	 * @param hook the hook
	 * @return the narrowed hook
	 */
	static PostToolHook forTools(Predicate<String> tools, PostToolHook hook) {
		return EnteredToolHook.learning(HookEntry.of(hook).forTargets(ToolScope.ofNames(tools)));
	}

	/**
	 * A hook for calls of some agents, roles, workspaces or sessions only.
	 * @param contexts whether the hook is for calls of this context
	 * @param hook the hook
	 * @return the narrowed hook
	 */
	static PostToolHook forContexts(Predicate<CallContext> contexts, PostToolHook hook) {
		return EnteredToolHook.learning(HookEntry.of(hook).forContexts(contexts));
	}

}
