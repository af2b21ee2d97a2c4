package io.agenthooks.spring.scope;

import java.util.List;

/**
 * A hook with conditions or expressions beside the rules of a policy. What has read them
 * may tell the names and arguments in them.
 *
 * @since 0.1.0
 * @see NamesInConditions
 * @see ArgumentsInConditions
 */
@FunctionalInterface
public interface HasConditions {

	/**
	 * The conditions and expressions, as they were read.
	 * @return what was read, which may tell what is in it
	 */
	List<?> conditions();

}
