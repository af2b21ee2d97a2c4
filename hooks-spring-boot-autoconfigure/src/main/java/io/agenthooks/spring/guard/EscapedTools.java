package io.agenthooks.spring.guard;

import java.util.Set;

/**
 * The unguarded tools that were found at run time.
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
