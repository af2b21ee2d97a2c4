package io.agenthooks.toolcall;

import java.util.function.Predicate;

import io.agenthooks.Hook;
import io.agenthooks.chain.HookEntry;

/**
 * A hook around tool calls: one that decides before the tool runs, one that may replace
 * the result, or one that learns how the call ended. A class may be several of them.
 *
 * @since 0.1.0
 */
public sealed interface ToolHook extends Hook permits PreToolHook, ToolResultHook, PostToolHook {

	/** The targets of a hook for all tools. */
	Predicate<String> ALL_TOOLS = HookEntry.ALL_TARGETS;

	/**
	 * For which tools this hook is. A chain remembers the answer for a tool. It is for a
	 * tool if one of its {@linkplain ToolIdentity#names() names} passes; a
	 * {@link ToolScope} knows more.
	 * @return always the same for the same name; {@link #ALL_TOOLS} unless overridden
	 */
	default Predicate<String> tools() {
		return ALL_TOOLS;
	}

}
