package io.agenthooks.spring.expression;

import io.agenthooks.InvalidHookConfigException;

/**
 * Reads expressions about calls of tools. It is a bean if a library is there that does.
 *
 * @since 0.1.0
 */
public interface CallExpressions {

	/**
	 * Read an expression.
	 * @param option the option of a hook in which it is written, for the place of a
	 * mistake
	 * @param text the expression
	 * @return the expression, ready to be asked for its value
	 * @throws InvalidHookConfigException if it has a mistake
	 */
	CallExpression read(String option, String text);

}
