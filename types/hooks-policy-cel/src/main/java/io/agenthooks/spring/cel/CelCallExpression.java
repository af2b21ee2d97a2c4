package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.expression.CallExpression;
import io.agenthooks.spring.scope.ArgumentsInConditions;
import io.agenthooks.spring.scope.NamesInConditions;
import io.agenthooks.toolcall.ToolCall;

final class CelCallExpression implements CallExpression, ArgumentsInConditions, NamesInConditions {

	private final String option;

	private final Condition expression;

	private final Clock clock;

	private final String text;

	private CelCallExpression(String option, Condition expression, Clock clock, String text) {
		this.option = option;
		this.text = text;
		this.expression = expression;
		this.clock = clock;
	}

	/** Throws {@link InvalidHookConfigException} if it has a mistake. */
	static CelCallExpression read(String option, String text, Clock clock) {
		try {
			return new CelCallExpression(option, new CelReader(CelVariables.ofToolCalls()).readValue(text), clock,
					text.strip());
		}
		catch (UnreadableConditionException ex) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of(option), ex.getMessage() + ".", ex.action(), ex.position())));
		}
	}

	@Override
	public String text() {
		return this.text;
	}

	@Override
	public boolean readsArguments() {
		return this.expression.readsArguments();
	}

	@Override
	public List<Found> check(Map<String, Set<String>> tools) {
		return this.expression.checkValue(List.of(this.option), ArgumentType.ofTools(tools, (name) -> true));
	}

	@Override
	public List<Compared> compared() {
		return this.expression.compared(this.option);
	}

	@Override
	public @Nullable Object value(ToolCall call) {
		@Nullable Object value = this.expression.value(new Scope(call, this.clock));
		if (value instanceof Failure failure) {
			throw new IllegalStateException("The expression has no value: " + failure.why());
		}
		return value;
	}

}
