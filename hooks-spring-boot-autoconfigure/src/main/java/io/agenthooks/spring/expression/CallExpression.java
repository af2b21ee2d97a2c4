package io.agenthooks.spring.expression;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;

/**
 * An expression about a call of a tool, over what the rules of a policy see.
 *
 * @since 0.1.0
 */
public interface CallExpression {

	/**
	 * The text of the expression, without blanks around it.
	 * @return the text, which is never empty
	 */
	String text();

	/**
	 * Whether the value depends on arguments of the call, which a model writes.
	 * @return whether it does
	 */
	boolean readsArguments();

	/**
	 * The value for a call. The work that goes into it is bounded.
	 * @param call the call
	 * @return the value, as the arguments of calls are: {@code null}, a text, a boolean,
	 * a number, a list or a map, a time or a duration
	 * @throws IllegalStateException if there is none, for instance because an argument is
	 * missing
	 */
	@Nullable Object value(ToolCall call);

}
