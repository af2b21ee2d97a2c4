package io.agenthooks.spring.origin;

/**
 * What stands in the place of a bean that brings tools, so that they pass the hooks.
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
