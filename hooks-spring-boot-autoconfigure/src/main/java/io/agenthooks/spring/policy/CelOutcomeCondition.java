package io.agenthooks.spring.policy;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.spring.expression.OutcomeCondition;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * A condition in CEL about how a call of a tool ended.
 */
final class CelOutcomeCondition implements OutcomeCondition {

	/** A status or verdict that is compared with a text. */
	private static final Pattern COMPARED = Pattern
		.compile("outcome\\s*\\.\\s*(status|verdict)\\s*[!=]=\\s*(?:\"([^\"]*)\"|'([^']*)')");

	private final Condition condition;

	private final Clock clock;

	private CelOutcomeCondition(Condition condition, Clock clock) {
		this.condition = condition;
		this.clock = clock;
	}

	/**
	 * Read a condition.
	 * @param option the option in which it is written
	 * @throws InvalidHookConfigException if it has a mistake
	 */
	static CelOutcomeCondition read(String option, String text, Clock clock) {
		try {
			Condition condition = new CelReader(CelVariables.ofToolOutcomes()).read(text);
			if (condition.isAlways(false)) {
				throw new UnreadableConditionException("The condition can never hold: it is always false",
						"Correct it.", 0);
			}
			checkCompared(text);
			return new CelOutcomeCondition(condition, clock);
		}
		catch (UnreadableConditionException ex) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of(option), ex.getMessage() + ".", ex.action(), ex.position())));
		}
	}

	/**
	 * Check that a status exists: a misspelled one would never match.
	 */
	private static void checkCompared(String text) {
		Matcher compared = COMPARED.matcher(text);
		while (compared.find()) {
			boolean isStatus = compared.group(1).equals("status");
			List<String> known = (isStatus) ? Arrays.stream(ToolCallStatus.values()).map(ToolCallStatus::value).toList()
					: Arrays.stream(Verdict.values()).map(Verdict::value).toList();
			int group = (compared.group(2) != null) ? 2 : 3;
			String value = compared.group(group);
			if (!known.contains(value)) {
				throw new UnreadableConditionException(
						"There is no %s '%s'".formatted(compared.group(1), SafeText.name(value)),
						Spelling.didYouMean(value, known) + "Known are " + String.join(", ", known) + ".",
						compared.start(group));
			}
		}
	}

	@Override
	public boolean holds(ToolOutcome outcome) {
		return !Boolean.FALSE.equals(this.condition.holds(Scope.afterCall(outcome, this.clock)));
	}

}
