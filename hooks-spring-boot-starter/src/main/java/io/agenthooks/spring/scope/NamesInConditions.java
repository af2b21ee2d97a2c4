package io.agenthooks.spring.scope;

import java.util.List;

/**
 * Rules whose conditions compare who makes a call with texts.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NamesInConditions {

	/**
	 * The names that the conditions compare with.
	 * @return the names
	 */
	List<Compared> compared();

	/**
	 * A name in a condition.
	 *
	 * @param rule the position of the rule
	 * @param option in which of its conditions: {@code when} or {@code unless}
	 * @param kind what has such a name
	 * @param name the name
	 * @since 0.1.0
	 */
	record Compared(int rule, String option, Named kind, String name) {

	}

}
