package io.agenthooks.spring.scope;

import java.util.List;

/**
 * Rules whose conditions compare who makes a call, and which tool is called, with texts.
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
	 * @param name the name, or a glob of what its text begins with, ends with or has in
	 * it
	 * @param anyCase whether case makes no difference
	 * @since 0.1.0
	 */
	record Compared(int rule, String option, Named kind, String name, boolean anyCase) {

	}

}
