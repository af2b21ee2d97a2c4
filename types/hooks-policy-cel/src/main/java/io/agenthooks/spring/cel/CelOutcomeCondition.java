package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.expression.OutcomeCondition;
import io.agenthooks.spring.scope.ArgumentsInConditions;
import io.agenthooks.spring.scope.NamesInConditions;
import io.agenthooks.toolcall.ToolOutcome;

record CelOutcomeCondition(String option, Condition condition,
		Clock clock) implements OutcomeCondition, ArgumentsInConditions, NamesInConditions {

	static CelOutcomeCondition read(String option, String text, Clock clock) {
		try {
			Condition condition = new CelReader(CelVariables.ofToolOutcomes()).read(text);
			if (condition.isAlways(false)) {
				throw new UnreadableConditionException("The condition can never hold: it is always false",
						"Correct it.", 0);
			}
			return new CelOutcomeCondition(option, condition, clock);
		}
		catch (UnreadableConditionException ex) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of(option), ex.getMessage() + ".", ex.action(), ex.position())));
		}
	}

	@Override
	public List<Found> check(Map<String, Set<String>> tools) {
		return this.condition.check(List.of(this.option), ArgumentType.ofTools(tools, (name) -> true));
	}

	@Override
	public List<Compared> compared() {
		return this.condition.compared(this.option);
	}

	@Override
	public boolean means(int rule, String tool) {
		return this.condition.means(tool);
	}

	@Override
	public boolean holds(ToolOutcome outcome) {
		return !Boolean.FALSE.equals(this.condition.holds(Scope.afterCall(outcome, this.clock)));
	}

}
