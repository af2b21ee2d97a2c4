package io.agenthooks.toolcall;

import java.util.Set;

/**
 * Runs tools. An application's executor knows nothing of hooks; the starter guards every
 * bean of this type, and {@link HookedToolExecutor} does so without Spring.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolExecutor {

	/**
	 * Run a tool and wait for its result. Whatever this throws reaches the caller
	 * unchanged.
	 * @param call the call
	 * @return the result
	 */
	ToolResult execute(ToolCall call);

	/**
	 * The names of the tools that this executor knows. Metrics tag only these by name,
	 * because models invent names.
	 * @return the names; empty if the executor does not say
	 */
	default Set<String> toolNames() {
		return Set.of();
	}

}
