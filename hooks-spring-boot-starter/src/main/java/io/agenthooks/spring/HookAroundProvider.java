package io.agenthooks.spring;

import io.agenthooks.chain.HookAround;

/**
 * Puts something around every hook of the chains, such as a timer. A bean of this type is
 * asked about each hook, from the configuration or a bean, when its chain is put together
 * and when a hook is registered. What is put around a hook is asked about the calls that
 * the hook is for only, and sees what the hook throws.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HookAroundProvider {

	/**
	 * What to put around a hook.
	 * @param name the name of the hook
	 * @param type its type; {@code bean} for a bean
	 * @return what asks the hook
	 */
	HookAround around(String name, String type);

	/**
	 * Learn of something that counts: a hook, also one that only learns, or what limits
	 * its time.
	 * @param name the name of the hook
	 * @param counts what it counts
	 */
	default void join(String name, HookCounts counts) {
	}

}
