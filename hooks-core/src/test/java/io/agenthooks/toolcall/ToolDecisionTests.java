package io.agenthooks.toolcall;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link ToolDecision}.
 */
class ToolDecisionTests {

	@Test
	void questionsTogetherAreAboutTheArgumentsOfBoth() {
		ToolDecision.Ask one = new ToolDecision.Ask("a").about(List.of("x", "y"));
		ToolDecision.Ask two = new ToolDecision.Ask("b").about(List.of("y", "z"));
		assertThat(one.and(two).about()).containsExactly("x", "y", "z");
		assertThat(one.and(new ToolDecision.Ask("a").about(List.of("z"))).about()).containsExactly("x", "y", "z");
		assertThat(one.within(Duration.ofMinutes(1)).on(AskTerms.ANY).pendingAs("q").about()).containsExactly("x", "y");
		List<String> many = IntStream.range(0, 1000).mapToObj(String::valueOf).toList();
		assertThat(one.about(many).about()).hasSize(50).startsWith("x", "y", "0");
	}

	@Test
	void eachDecisionHasItsVerdict() {
		assertThat(ToolDecision.approve().verdict()).isEqualTo(Verdict.APPROVE);
		assertThat(ToolDecision.failedOpen("down").verdict()).isEqualTo(Verdict.APPROVE);
		assertThat(ToolDecision.modify(Map.of()).verdict()).isEqualTo(Verdict.MODIFY);
		assertThat(ToolDecision.deny("no").verdict()).isEqualTo(Verdict.DENY);
		assertThat(ToolDecision.respond(ToolResult.success("")).verdict()).isEqualTo(Verdict.RESPOND);
		assertThat(ToolDecision.ask("sure?").verdict()).isEqualTo(Verdict.ASK);
		assertThat(ToolDecision.abortTurn("stop").verdict()).isEqualTo(Verdict.ABORT);
		assertThat(ToolDecision.abortRun("stop").verdict()).isEqualTo(Verdict.ABORT);
	}

	@ParameterizedTest
	@CsvSource({ "really?, sure?, really?; sure?", "a; b, a, a; b", "a; b, b, a; b", "a; b; c, b; c, a; b; c",
			"please approve this, approve, please approve this; approve", "approve all, approve, approve all; approve",
			"a, a; b, a; a; b" })
	void questionIsAskedUnlessItIsAskedAlready(String question, String another, String both) {
		assertThat(new ToolDecision.Ask(question).and(new ToolDecision.Ask(another)).question()).isEqualTo(both);
	}

	@Test
	void jointQuestionHasTheRuleOfTheFirstThatHasOne() {
		HookRule one = HookRule.of("one");
		HookRule two = HookRule.of("two");
		assertThat(new ToolDecision.Ask("a", null, one).and(new ToolDecision.Ask("b", null, two)).rule())
			.isEqualTo(one);
		assertThat(new ToolDecision.Ask("a").and(new ToolDecision.Ask("b", null, two)).rule()).isEqualTo(two);
	}

	@Test
	void jointQuestionNamesAllThatAsk() {
		ToolDecision.Ask one = new ToolDecision.Ask("a", null, HookRule.of("one"));
		ToolDecision.Ask two = new ToolDecision.Ask("a", null, HookRule.of("two"));
		assertThat(one.and(two).asked("first").and(one.asked("second")).and(two.asked("first")).askers())
			.containsExactly(new Asker("first", "one"), new Asker("first", "two"), new Asker("second", "one"));
		assertThat(one.asked("first").and(one.asked("second")).askers()).hasSize(2);
	}

	@Test
	void questionsTogetherHaveTheShorterTimeout() {
		ToolDecision.Ask unbounded = new ToolDecision.Ask("a");
		ToolDecision.Ask minute = new ToolDecision.Ask("b").within(Duration.ofMinutes(1));
		assertThat(unbounded.and(minute).timeout()).isEqualTo(Duration.ofMinutes(1));
		assertThat(minute.and(unbounded).timeout()).isEqualTo(Duration.ofMinutes(1));
		assertThat(minute.and(new ToolDecision.Ask("b").within(Duration.ofSeconds(1))))
			.isEqualTo(new ToolDecision.Ask("b").within(Duration.ofSeconds(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> unbounded.within(Duration.ZERO))
			.withMessage("'timeout' must be more than zero");
	}

	@Test
	void nobodyElseCanInventADecision() {
		assertThat(ToolDecision.class.isSealed()).isTrue();
		assertThat(ToolDecision.class.getPermittedSubclasses()).hasSize(6).allMatch(Class::isRecord);
	}

	@Test
	void approveIsAConstant() {
		assertThat(ToolDecision.approve()).isSameAs(ToolDecision.approve());
		assertThat(ToolDecision.approve()).isNotEqualTo(ToolDecision.failedOpen("down"));
	}

	@Test
	@SuppressWarnings("NullAway")
	void modifyAndRespondNeedSomething() {
		assertThatNullPointerException().isThrownBy(() -> ToolDecision.modify(null));
		assertThatNullPointerException().isThrownBy(() -> new ToolDecision.Modify(null, null, null));
		assertThatNullPointerException().isThrownBy(() -> ToolDecision.respond(null));
		assertThatNullPointerException().isThrownBy(() -> ToolResult.success(null));
	}

	static Stream<Function<String, String>> reasons() {
		return Stream.of((text) -> ((ToolDecision.Deny) ToolDecision.deny(text)).reason(),
				(text) -> ((ToolDecision.Ask) ToolDecision.ask(text)).question(),
				(text) -> ((ToolDecision.Abort) ToolDecision.abortTurn(text)).reason(),
				(text) -> ((ToolDecision.Abort) ToolDecision.abortRun(text)).reason(),
				(text) -> String.valueOf(((ToolDecision.Approve) ToolDecision.failedOpen(text)).failure()));
	}

	@ParameterizedTest // K17
	@MethodSource("reasons")
	void reasonBecomesOneSafeBoundedLine(Function<String, String> reason) {
		assertThat(reason.apply("not\r\n2026-01-01 INFO approved \u001b[2J\u202efake"))
			.isEqualTo("not 2026-01-01 INFO approved [2J fake");
		assertThat(reason.apply("x".repeat(1_000_000)).getBytes(StandardCharsets.UTF_8))
			.hasSizeLessThanOrEqualTo(SafeText.MAX_REASON_BYTES);
	}

	@Test
	@SuppressWarnings("NullAway")
	void reasonThatSaysNothingIsReplaced() {
		assertThat(ToolDecision.deny(null)).isEqualTo(ToolDecision.deny("no reason given"));
		assertThat(ToolDecision.deny(" \n ")).isEqualTo(ToolDecision.deny("no reason given"));
		assertThat(ToolDecision.ask(null)).isEqualTo(ToolDecision.ask("no reason given"));
		assertThat(ToolDecision.abortRun(null)).isEqualTo(ToolDecision.abortRun("no reason given"));
	}

}
