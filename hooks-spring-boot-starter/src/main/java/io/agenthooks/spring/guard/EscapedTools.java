package io.agenthooks.spring.guard;

import java.util.Set;

/**
 * Knows tools that were found while the application runs, and whose calls pass no hooks.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EscapedTools {

	/**
	 * The tools that were found.
	 * @return their names, a limited number
	 */
	Set<String> names();

}
