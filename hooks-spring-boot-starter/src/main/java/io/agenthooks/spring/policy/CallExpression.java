package io.agenthooks.spring.policy;

import java.time.Clock;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.toolcall.ToolCall;

/**
 * An expression in CEL about a call of a tool, over what the rules of a policy see.
 *
 * @since 0.1.0
 */
public final class CallExpression {

	private final Condition expression;

	private final Clock clock;

	private final String text;

	private CallExpression(Condition expression, Clock clock, String text) {
		this.text = text;
		this.expression = expression;
		this.clock = clock;
	}

	/**
	 * Read an expression.
	 * @param option the option in which it is written
	 * @throws InvalidHookConfigException if it has a mistake
	 */
	static CallExpression read(String option, String text, Clock clock) {
		try {
			return new CallExpression(new CelReader(CelVariables.ofToolCalls()).readValue(text), clock, text.strip());
		}
		catch (UnreadableConditionException ex) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of(option), ex.getMessage() + ".", ex.action(), ex.position())));
		}
	}

	/**
	 * The text of the expression, without blanks around it.
	 * @return the text, which is never empty
	 * @since 0.1.0
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Whether the value depends on arguments of the call, which a model writes.
	 * @return whether it does
	 */
	public boolean readsArguments() {
		return this.expression.readsArguments();
	}

	/**
	 * The value for a call. The work that goes into it is bounded.
	 * @param call the call
	 * @return the value, as the arguments of calls are: {@code null}, a text, a boolean,
	 * a number, a list or a map, a time or a duration
	 * @throws IllegalStateException if there is none, for instance because an argument is
	 * missing
	 */
	public @Nullable Object value(ToolCall call) {
		@Nullable Object value = this.expression.value(new Scope(call, this.clock));
		if (value instanceof Failure failure) {
			throw new IllegalStateException("The expression has no value: " + failure.why());
		}
		return value;
	}

}
