package io.agenthooks.spring.assembly;

import java.util.List;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookHealth;

/** The active hooks of one kind that know how they are. */
interface CheckedHooks {

	/** The hooks, each once for every phase that it has a part in. */
	List<Checked> checked();

	/** The kind of calls that the hooks are around, such as {@code tool_call}. */
	String kind();

	/** A hook that knows how it is. */
	record Checked(ActiveHooks.Listed listed, HookHealth hook, boolean failsOpen) {
	}

}
