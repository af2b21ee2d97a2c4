package io.agenthooks.spring.assembly;

import java.util.List;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookHealth;

/**
 * The active hooks of one kind that know how they are.
 */
interface CheckedHooks {

	/**
	 * The hooks, each once for every phase that it has a part in.
	 * @return the hooks
	 */
	List<Checked> checked();

	/**
	 * What the hooks are around, such as {@code tool_call}.
	 * @return the name of the kind
	 */
	String kind();

	/**
	 * A hook that knows how it is.
	 *
	 * @param listed what is said about it
	 * @param hook the hook
	 * @param failsOpen whether its entry lets calls pass when it fails
	 */
	record Checked(ActiveHooks.Listed listed, HookHealth hook, boolean failsOpen) {
	}

}
