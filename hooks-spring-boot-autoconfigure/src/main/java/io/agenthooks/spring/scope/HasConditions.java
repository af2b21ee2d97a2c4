package io.agenthooks.spring.scope;

import java.util.List;

/**
 * A hook with conditions or expressions beside the rules of a policy.
 *
 * @since 0.1.0
 * @see NamesInConditions
 * @see ArgumentsInConditions
 */
@FunctionalInterface
public interface HasConditions {

	/**
	 * The conditions and expressions.
	 * @return what was read, which may tell the names and arguments in it
	 */
	List<?> conditions();

}
