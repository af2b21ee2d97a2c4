package io.agenthooks.policy;

import java.math.BigDecimal;
import java.text.Normalizer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.Verdict;
import io.agenthooks.pattern.Budget;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what policies search of lists and maps, which a framework may give to a tool
 * as one text.
 */
class WrittenValueTests {

	private static Verdict decide(String pattern, Object command) {
		PolicyToolHook named = new PolicyToolHook(
				new PolicyConfig(null, null, Map.of("command", List.of(pattern)), null));
		PolicyToolHook any = new PolicyToolHook(new PolicyConfig(null, null, null, List.of(pattern)));
		ToolCall call = ToolCall.of("sh", Map.of("command", command));
		ToolCall inside = ToolCall.of("sh", Map.of("in", Map.of("command", command)));
		Verdict verdict = named.preCall(call).verdict();
		assertThat(any.preCall(call).verdict()).isEqualTo(verdict);
		assertThat(named.preCall(inside).verdict()).isEqualTo(verdict);
		return verdict;
	}

	/**
	 * A pattern that asks for one more word; before an anchor of the start, no text could
	 * match it.
	 */
	private static String other(String pattern) {
		return pattern.startsWith("\\A") ? "\\Anot " + pattern.substring(2) : "not " + pattern;
	}

	private static Map<String, Object> map(Object... namesAndValues) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			map.put((String) namesAndValues[i], namesAndValues[i + 1]);
		}
		return map;
	}

	static List<Arguments> texts() {
		return List.of(Arguments.of("curl.*[|] *sh", map(" curl x?", "| sh")),
				Arguments.of("curl.*[|] *sh", map("curl x", map("y", "| sh"))),
				Arguments.of("curl.*[|] *sh", List.of(map("curl x", "y"), "| sh")),
				Arguments.of("rm -rf", map("rm", "-rf")), Arguments.of("rm -rf", map("a", "rm", "b", "x", "rm", "-rf")),
				Arguments.of("rm -rf", map("rm -", "rf")), Arguments.of("\\{rm=-rf\\}", map("rm", "-rf")),
				Arguments.of("\\{\"rm\":\"-rf\"\\}", map("rm", "-rf")),
				Arguments.of("\\A\\[a, b\\]\\z", List.of("a", "b")), Arguments.of("ab", List.of("a", "b")),
				Arguments.of("\\A\\[\"a\",1,true\\]\\z", List.of("a", 1, true)),
				Arguments.of("a b", List.of("a", "", "b")),
				Arguments.of("rm -rf", List.of(map("x", "rm"), map("x", "-rf"))),
				Arguments.of("\\Aa b\\z", List.of("x", List.of("a", "b"), "y")),
				Arguments.of("\\A100000\\.0\\z", new BigDecimal("1E5")));
	}

	@ParameterizedTest
	@MethodSource("texts")
	void textThatAFrameworkMayMakeIsSearched(String pattern, Object command) {
		assertThat(decide(pattern, command)).isEqualTo(Verdict.DENY);
		assertThat(decide(other(pattern), command)).isEqualTo(Verdict.APPROVE);
	}

	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	@ParameterizedTest
	@ValueSource(ints = { 1, 30, 60 })
	void emptyTextsInNestedListsAreJoinedInTime(int depth) {
		Object value = Collections.nCopies(900_000, "");
		for (int i = 0; i < depth; i++) {
			value = List.of(value, "x");
		}
		Object command = value;

		ToolDecision decision = new PolicyToolHook(new PolicyConfig(null, null, null, List.of("rm")))
			.preCall(ToolCall.of("sh", Map.of("command", command)));

		assertThat(decision).isNotNull();
	}

	@Test
	void textThatGrowsWhenItIsNormalizedIsDeniedBeforeItFillsTheMemory() {
		PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(null, null, null, List.of("rm")));

		assertThat(hook.preCall(ToolCall.of("sh", Map.of("a", "\ufdfa".repeat(5_000_000)))).verdict())
			.isEqualTo(Verdict.DENY);
		assertThat(hook.preCall(ToolCall.of("sh", Map.of("a", "\ufdfa".repeat(50_000)))).verdict())
			.isEqualTo(Verdict.APPROVE);
	}

	@Test
	void longTextIsNormalizedAsAShortOneIs() {
		List<String> parts = List.of("\u212b", "e\u0301", "\u1100\u1161\u11a8", "\uff76\uff9e", "\uff52\uff4d",
				"\ufdfa", "\ud835\udc9c", "\uffa1\uffc2", "x", "\u0915\u093c");
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 30_000; i++) {
			String part = parts.get((i * 7 + i / 11) % parts.size());
			text.append(part).append((i % 5 == 0) ? "-" : "");
		}
		String whole = Normalizer.normalize(text, Normalizer.Form.NFKC);

		assertThat(SearchText.clean(text.toString(), new Budget())).isEqualTo(whole);
	}

	@Test
	void writingEndsWithTheBudget() {
		Object value = Collections.nCopies(900, "x".repeat(100_000));

		assertThatExceptionOfType(Budget.ExhaustedException.class)
			.isThrownBy(() -> WrittenValue.write(value, new Budget()));
	}

	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	@Test
	void zerosOfLongNumbersAreTakenAwayInTime() {
		BigDecimal zeros = new BigDecimal("1" + "0".repeat(200) + "." + "0".repeat(790));
		PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(null, null, null, List.of("rm", "\\A10{200}\\z")));

		assertThat(hook.preCall(ToolCall.of("sh", Map.of("n", zeros))).verdict()).isEqualTo(Verdict.DENY);
		for (int i = 0; i < 10; i++) {
			assertThat(
					hook.preCall(ToolCall.of("sh", Map.of("n", Collections.nCopies(1_000, zeros.add(BigDecimal.ONE)))))
						.verdict())
				.isNotNull();
		}
	}

}
