package io.agenthooks.spring.guard;

import java.util.Set;

/**
 * The unguarded tools that were found at run time.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EscapedTools {

	Set<String> names();

}
