package io.agenthooks.spring.origin;

/**
 * Replaces a bean that provides tools, so that these pass the hooks.
 *
 * @since 0.1.0
 */
public interface GuardedTools {

	/**
	 * The bean that brings the tools.
	 * @return what is behind the hooks
	 */
	Object tools();

}
