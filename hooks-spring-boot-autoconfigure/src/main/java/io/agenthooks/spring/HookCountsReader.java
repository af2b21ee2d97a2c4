package io.agenthooks.spring;

/**
 * Reads what hooks count beside their decisions. A bean of this type learns of each hook,
 * from the configuration or a bean, when its chain is put together and when a hook is
 * registered. Whoever wants to know what hooks say to calls is a
 * {@link io.agenthooks.chain.CallWatch}.
 *
 * @since 0.1.0
 */
public interface HookCountsReader {

	/**
	 * Learn of a hook.
	 * @param name the name of the hook
	 * @param type its type; {@code bean} for a bean
	 */
	default void added(String name, String type) {
	}

	/**
	 * Learn of something that counts: a hook, also one that only learns, or what limits
	 * its time.
	 * @param name the name of the hook
	 * @param counts what it counts
	 */
	void join(String name, HookCounts counts);

}
