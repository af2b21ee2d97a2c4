package io.agenthooks.spring.guard;

/**
 * Gets told of each tool that is found unguarded.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface UnguardedCallListener {

	/**
	 * A tool was found that passes no hooks.
	 * @param tool the name, which a model or a server may have chosen
	 */
	void found(String tool);

}
