package io.agenthooks.spring.assembly;

import java.util.List;

import io.agenthooks.toolcall.PreToolHook;

/**
 * Finds hooks around tool calls in beans that are not hooks themselves.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolHookSource {

	List<Found> find();

	/**
	 * A hook that was found.
	 *
	 * @param hook the hook
	 * @param name its name
	 * @param origin where it comes from, such as {@code bean 'refunds'}
	 * @param order its place; lower runs first
	 * @since 0.1.0
	 */
	record Found(PreToolHook hook, String name, String origin, int order) {
	}

}
