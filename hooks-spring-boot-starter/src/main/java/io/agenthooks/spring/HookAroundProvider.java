package io.agenthooks.spring;

import io.agenthooks.chain.HookAround;

/**
 * Puts something around every hook that decides about model calls or runs, such as a
 * timer. A bean of this type is asked about each hook when its chain is put together.
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

}
