package io.agenthooks.spring.expression;

import io.agenthooks.InvalidHookConfigException;

/**
 * Reads conditions about how calls of tools ended. It is a bean if a library is there
 * that does.
 *
 * @since 0.1.0
 */
public interface OutcomeConditions {

	/**
	 * Read a condition.
	 * @param option the option of a hook in which it is written, for the place of a
	 * mistake
	 * @param text the condition
	 * @return the condition, ready to be asked
	 * @throws InvalidHookConfigException if it has a mistake, or can never be true
	 */
	OutcomeCondition readOutcomeCondition(String option, String text);

}
