package io.agenthooks.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.Verdict;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link UnreachedParts}, and for lists of which nothing is left.
 */
class UnreachedPartsTests {

	@ParameterizedTest
	@CsvSource({ "a, a", "a b, b a", "a, *", "read_*, *", "read_file, read_*", "read_*, r*", "read_*, *_*",
			"read_?, read_*", "read_a read_b, read_?", "git__push, push", "git__push, git__*", "git__*, *", "*, *",
			"read_[ab], read_[ab]", "read_[ab], *", "mcp__git__x, *__x" })
	void allowedToolsThatAreAllDeniedAreFoundAndDenied(String allowed, String denied) {
		PolicyConfig config = new PolicyConfig(words(allowed), words(denied), null, null);
		assertThat(options(config)).isEqualTo(IntStream.range(0, words(allowed).size())
			.mapToObj((position) -> "allow_tools[" + position + "]")
			.toList());
		assertThat(new PolicyToolHook(config).preCall(ToolCall.of("read_file", Map.of())).verdict())
			.isEqualTo(Verdict.DENY);
	}

	@ParameterizedTest
	@CsvSource({ "a b, a", "read_*, read_file", "read_*, read_?", "*, a*", "*_file, read_*", "push, git__push",
			"read_*, *_file", "read_[ab], read_a", "read_file, Read_file", "a?, a", "git__*, push", "a*, a?*" })
	void allowedToolsOfWhichSomeAreLeftAreNotAllFound(String allowed, String denied) {
		assertThat(options(new PolicyConfig(words(allowed), words(denied), null, null)))
			.hasSizeLessThan(words(allowed).size());
	}

	@Test
	void ruleWithoutAConditionDeniesAsAListDoes() {
		assertThat(deniedAlways(rule(List.of("a"), null, Effect.DENY))).containsExactly("a");
		assertThat(deniedAlways(rule(List.of("a"), null, Effect.ABORT))).containsExactly("a");
		assertThat(deniedAlways(rule(List.of("a"), null, Effect.ASK))).isEmpty();
		assertThat(deniedAlways(rule(List.of("a"), "args.x > 5", Effect.DENY))).isEmpty();
		assertThat(deniedAlways(new PolicyRule(null, List.of("*"), List.of("read_*"), null, null, Effect.DENY, null,
				false, null, null, null)))
			.isEmpty();
	}

	private static List<String> deniedAlways(PolicyRule rule) {
		return UnreachedParts.deniedAlways(policy(null, null, null, rule));
	}

	@Test
	void partsThatOthersHaveDecidedAreFound() {
		assertThat(UnreachedParts.of(policy(List.of("a", "b"), List.of("a"), null)))
			.extracting(UnreachedParts.Part::option, UnreachedParts.Part::glob, UnreachedParts.Part::consequence)
			.containsExactly(tuple("allow_tools[0]", "a", "so it allows nothing"));
		assertThat(options(policy(null, List.of("pay_*"), List.of("refund", "pay_all"))))
			.containsExactly("ask_tools[1]");
		assertThat(options(policy(null, List.of("pay_*"), null, rule(List.of("pay_a", "pay_b"), null, Effect.ASK))))
			.containsExactly("rules[0].tools");
		assertThat(options(policy(null, List.of("pay_a"), null, rule(List.of("pay_a", "pay_b"), null, Effect.ASK))))
			.isEmpty();
		assertThat(options(policy(null, null, null, rule(List.of("a"), null, Effect.DENY),
				rule(List.of("a"), "args.x > 5", Effect.ASK), rule(List.of("b"), "args.x > 5", Effect.ASK))))
			.containsExactly("rules[1].tools");
		assertThat(options(policy(null, null, null, rule(List.of("a"), "args.x > 5", Effect.DENY),
				rule(List.of("*"), null, Effect.DENY))))
			.containsExactly("rules[0].tools");
		assertThat(options(
				policy(null, null, null, rule(List.of("a"), null, Effect.ASK), rule(List.of("a"), null, Effect.DENY))))
			.containsExactly("rules[0].tools");
		assertThat(options(policy(null, null, null, rule(List.of("a"), null, Effect.DENY),
				rule(List.of("a"), "args.x > 5", Effect.ABORT))))
			.isEmpty();
		assertThat(options(policy(null, null, null, rule(List.of("a"), "args.x > 5", Effect.DENY),
				rule(List.of("a"), "args.x > 3", Effect.ASK))))
			.isEmpty();
	}

	private static List<String> options(PolicyConfig policy) {
		return UnreachedParts.of(policy).stream().map(UnreachedParts.Part::option).toList();
	}

	private static PolicyConfig policy(@Nullable List<String> allow, @Nullable List<String> deny,
			@Nullable List<String> ask, PolicyRule... rules) {
		return new PolicyConfig(allow, deny, null, null, ask, null, null, Arrays.asList(rules), null, null, false,
				false, null, null, null, null, null, null, null, null, null);
	}

	private static PolicyRule rule(List<String> tools, @Nullable String when, Effect then) {
		return new PolicyRule(null, tools, null, when, null, then, null, false, null, null, null);
	}

	private static List<String> words(String text) {
		return List.of(text.split(" "));
	}

}
