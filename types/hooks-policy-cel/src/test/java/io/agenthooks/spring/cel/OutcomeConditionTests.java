package io.agenthooks.spring.cel;

import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CelOutcomeCondition}.
 */
class OutcomeConditionTests {

	private static final ToolCall CALL = ToolCall.of("refund", Map.of("amount", 700),
			CallContext.ofSession("s1").withUser("alice"));

	private static final ToolOutcome DENIED = new ToolOutcome(CALL, CALL,
			ToolDecision.deny("no").withRule(new HookRule("big", null)), "house-rules", ToolCallStatus.DENIED, null,
			ToolResult.failure("no"), null, Duration.ofMillis(1_500), List.of(), List.of("judge"), List.of("dry"), null,
			List.of());

	private static final ToolOutcome SUCCEEDED = ToolOutcome.of(CALL, ToolCallStatus.SUCCEEDED,
			ToolResult.success("hunter2"), null, Duration.ofMillis(3));

	@ParameterizedTest
	@ValueSource(strings = { "outcome.status == 'denied'", "outcome.status in ['denied', 'aborted']",
			"outcome.verdict == 'deny'", "outcome.decided_by == 'house-rules'", "outcome.rule == 'big'",
			"'judge' in outcome.failed_open", "outcome.failed_open.size() > 0", "outcome.would_deny == ['dry']",
			"outcome.duration_ms >= 1000", "outcome.replaced_by.size() == 1 || args.amount > 500",
			"tool.name == 'refund' && call.session == 's1' && user.name == 'alice'" })
	void seesHowTheCallEndedAndWhatRulesSee(String condition) {
		assertThat(read(condition).holds(DENIED)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "outcome.status == 'denied'", "outcome.decided_by != ''", "outcome.rule != ''",
			"outcome.failure != ''", "outcome.failed_open.size() > 0", "outcome.duration_ms >= 1000" })
	void whatIsNotThereIsEmpty(String condition) {
		assertThat(read(condition).holds(SUCCEEDED)).isFalse();
	}

	@Test
	void seesTheClassOfAnExceptionAndNotItsMessage() {
		ToolOutcome failed = ToolOutcome.of(CALL, ToolCallStatus.FAILED, null, new IllegalStateException("hunter2"),
				Duration.ZERO);
		assertThat(read("outcome.failure == 'java.lang.IllegalStateException'").holds(failed)).isTrue();
		assertThat(read("outcome.failure.contains('hunter2')").holds(failed)).isFalse();
	}

	@Test
	void whatCannotBeSaidCountsAsAMatch() {
		assertThat(read("args.missing > 5").holds(SUCCEEDED)).isTrue();
		assertThat(read("has(args.missing) && args.missing > 5").holds(SUCCEEDED)).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '#',
			value = { "outcome.status == 'deny' | There is no status 'deny'. | Known are succeeded, failed, denied",
					"outcome.status == 'denid' | There is no status 'denid'. | Did you mean 'denied'",
					"outcome.status=='success' | There is no status 'success'. | Known are succeeded, failed, denied",
					"'deny' == outcome.status | There is no status 'deny'. | Known are succeeded",
					"outcome.status in ['denied', 'failled'] | There is no status 'failled'. | 'failed'",
					"['denyed'].exists(s, s == outcome.status) | There is no status 'denyed'. | 'denied'",
					"!(outcome.status != 'denid') | There is no status 'denid'. | 'denied'",
					"outcome.status == 'denied' && outcome.status == 'failed' | can never | write ||",
					"outcome.status == 'denied' && args.amount > 5 && args.amount < 3 | can never | write ||",
					"outcome.verdict != \"denied\" | There is no verdict 'denied'. | Known are approve",
					"outcome.result == 'x' | There is no field 'result'. | 'outcome' has status, verdict",
					"result == 'x' | There is no variable 'result'. | outcome",
					"outcome == 'denied' | The sign '==' is not for (outcome, string) | fields of 'outcome': status",
					"outcome.status | The condition is not a boolean | true",
					"1 > 2 | The condition can never hold | Correct",
					"outcome.status = 'denied' | cannot be read | Write '=='" })
	void mistakesAreToldWithTheirFix(String condition, String mistake, String fix) {
		assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> read(condition))
			.satisfies((ex) -> assertThat(ex.getProblems()).singleElement().satisfies((problem) -> {
				assertThat(problem.path()).containsExactly("when");
				assertThat(problem.message()).contains(mistake);
				assertThat(problem.action()).contains(fix);
			}));
	}

	@Test
	void hostileArgumentsCostABoundedTime() {
		ToolOutcome hostile = ToolOutcome.of(
				ToolCall.of("a", Map.of("text", "a".repeat(8_000_000), "list", Collections.nCopies(20_000, "x"))),
				ToolCallStatus.SUCCEEDED, null, null, Duration.ZERO);
		CelOutcomeCondition condition = read(
				"args.list.all(a, args.list.all(b, args.list.all(c, a == b && b == c && args.text.contains('b'))))");
		long start = System.nanoTime();
		condition.holds(hostile);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
	}

	private static CelOutcomeCondition read(String condition) {
		return CelOutcomeCondition.read("when", condition, Clock.systemUTC());
	}

}
