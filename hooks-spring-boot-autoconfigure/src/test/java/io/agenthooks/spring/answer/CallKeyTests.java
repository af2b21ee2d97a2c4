package io.agenthooks.spring.answer;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.CallContext;
import io.agenthooks.spring.answer.CacheConfig.Scope;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallKey}.
 */
class CallKeyTests {

	private static final CallContext ALICE = CallContext.ofSession("s1").withUser("alice");

	@ParameterizedTest
	@MethodSource
	void keyIsTheSameFor(Map<String, Object> arguments, Map<String, Object> others) {
		assertThat(key(arguments)).isEqualTo(key(others));
	}

	static Stream<Arguments> keyIsTheSameFor() {
		return Stream.of(Arguments.of(map("a", 1, "b", 2), map("b", 2, "a", 1)),
				Arguments.of(map("m", map("a", 1, "b", map("c", 3, "d", 4))),
						map("m", map("b", map("d", 4, "c", 3), "a", 1))),
				Arguments.of(map("n", 1), map("n", 1L)), Arguments.of(map("n", (short) 1), map("n", (byte) 1)),
				Arguments.of(map("n", 1), map("n", BigInteger.ONE)), Arguments.of(map("n", 0.5), map("n", 0.5f)),
				Arguments.of(map("n", 1.5), map("n", new BigDecimal("1.5"))),
				Arguments.of(map("l", List.of(1, 2)), map("l", new Object[] { 1, 2 })));
	}

	@ParameterizedTest
	@MethodSource
	void keyDiffersFor(Map<String, Object> arguments, Map<String, Object> others) {
		assertThat(key(arguments)).isNotEqualTo(key(others));
	}

	static Stream<Arguments> keyDiffersFor() {
		return Stream.of(Arguments.of(map("n", 1), map("n", 1.0)), Arguments.of(map("n", 1), map("n", "1")),
				Arguments.of(map("n", 1.5), map("n", new BigDecimal("1.50"))),
				Arguments.of(map("n", 0), map("n", -0.0)), Arguments.of(map("b", true), map("b", "true")),
				Arguments.of(map("b", true), map("b", false)), Arguments.of(map("x", null), map()),
				Arguments.of(map("x", null), map("x", "null")), Arguments.of(map("x", null), map("x", "")),
				Arguments.of(map("x", List.of()), map("x", map())), Arguments.of(map("x", List.of()), map("x", null)),
				Arguments.of(map("l", List.of("ab")), map("l", List.of("a", "b"))),
				Arguments.of(map("l", List.of(1, 2)), map("l", List.of(2, 1))),
				Arguments.of(map("l", List.of(List.of(1), 2)), map("l", List.of(1, List.of(2)))),
				Arguments.of(map("l", List.of(List.of(1), 2)), map("l", List.of(List.of(1, 2)))),
				Arguments.of(map("m", map("a", 1), "n", 2), map("m", map("a", 1, "n", 2))),
				Arguments.of(map("a", "\u0141"), map("a", "\u0241")),
				Arguments.of(map("a", "\u0101"), map("a", "\u0102")), Arguments.of(map("a", "b"), map("b", "a")),
				Arguments.of(map("a", "sbsc"), map("a", "b", "c", "")), Arguments.of(map("a", "x"), map("A", "x")),
				Arguments.of(map("a", "x "), map("a", "x")), Arguments.of(map("a", "\u00e9"), map("a", "e\u0301")),
				// In UTF-8 both would be a question mark.
				Arguments.of(map("a", "\ud800"), map("a", "\ud801")), Arguments.of(map("a", "\ud800"), map("a", "?")),
				Arguments.of(map("a", "x".repeat(5_000)), map("a", "x".repeat(4_999) + "y")));
	}

	@Test
	void keyIsTheSameIfAndOnlyIfTheArgumentsAreTheSameJson() {
		Random random = new Random(42);
		Map<String, String> jsonByKey = new HashMap<>();
		Map<String, String> keyByJson = new HashMap<>();
		for (int i = 0; i < 20_000; i++) {
			Map<String, Object> arguments = randomMap(random, 3);
			String json = json(arguments);
			String key = key(arguments);
			assertThat(jsonByKey.merge(key, json, (known, same) -> known)).isEqualTo(json);
			assertThat(keyByJson.merge(json, key, (known, same) -> known)).isEqualTo(key);
		}
		assertThat(jsonByKey.size()).isBetween(3_000, 19_000);
	}

	@Test
	void toolsOfOneNameOnTwoServersHaveDifferentKeysWhateverTheModelCallsThem() {
		List<ToolIdentity> tools = List.of(ToolIdentity.ofApplication("read"),
				ToolIdentity.onServer("github", "read", "read"), ToolIdentity.onServer("evil", "read", "read"),
				ToolIdentity.onServer("github", "read2", "read"));
		assertThat(tools.stream().map(CallKeyTests::keyOf)).doesNotHaveDuplicates().doesNotContainNull();
		assertThat(keyOf(ToolIdentity.onServer("github", "read", "alt_1_read")))
			.isEqualTo(keyOf(ToolIdentity.onServer("github", "read", "read")));
		assertThat(keyOf(ToolIdentity.onUnknownServer("read", "read"))).isNull();
	}

	private static @Nullable String keyOf(ToolIdentity tool) {
		return CallKey.of(ToolCall.of("1", tool, Map.of(), CallContext.empty()), Scope.GLOBAL);
	}

	@Test
	void toolAndArgumentsCannotPassForEachOther() {
		assertThat(CallKey.of(ToolCall.of("ab", map()), Scope.GLOBAL))
			.isNotEqualTo(CallKey.of(ToolCall.of("a", map("b", "")), Scope.GLOBAL))
			.isNotEqualTo(CallKey.of(ToolCall.of("a", map()), Scope.GLOBAL));
	}

	@Test
	void callsWithoutIdAndAttemptInCommonHaveTheSameKey() {
		ToolCall again = ToolCall.of("t", map(), ALICE.withAttempt(2).withRunId("r").withAttribute("k", "v"));
		for (Scope scope : Scope.values()) {
			assertThat(CallKey.of(again, scope)).isNotNull().isEqualTo(key(ALICE, scope));
		}
	}

	@Test
	void globalKeyIsTheSameForEverybody() {
		assertThat(key(ALICE, Scope.GLOBAL)).isNotNull().isEqualTo(key(CallContext.empty(), Scope.GLOBAL));
	}

	@Test
	void userKeyIsTheSameInEverySession() {
		assertThat(key(ALICE, Scope.USER)).isNotNull().isEqualTo(key(ALICE.withSessionId("s2"), Scope.USER));
	}

	@Test
	void sessionKeyDiffersByWhateverMayChangeWhatTheToolReturns() {
		assertThat(Stream
			.of(ALICE, ALICE.withSessionId("s2"), ALICE.withUser("bob"), ALICE.withUser(null), ALICE.withAgent("a"),
					ALICE.withRole("admin"), ALICE.withWorkspace("w"), ALICE.withAuthorities(List.of("a")),
					ALICE.withAuthorities(List.of("a", "b")), ALICE.withAuthorities(List.of("ab")),
					ALICE.withClaims(Map.of("tenant", "a")), ALICE.withClaims(Map.of("tenant", "b")))
			.map((context) -> key(context, Scope.SESSION))).doesNotContainNull().doesNotHaveDuplicates();
	}

	@Test
	void userKeyDiffersByWhateverMayChangeWhatTheToolReturns() {
		assertThat(Stream
			.of(ALICE, ALICE.withUser("bob"), ALICE.withAgent("a"), ALICE.withRole("admin"), ALICE.withWorkspace("w"),
					ALICE.withAuthorities(List.of("a")), ALICE.withClaims(Map.of("tenant", "a")))
			.map((context) -> key(context, Scope.USER))).doesNotContainNull().doesNotHaveDuplicates();
	}

	@Test
	void orderOfAuthoritiesDoesNotMatter() {
		assertThat(key(ALICE.withAuthorities(List.of("a", "b")), Scope.USER))
			.isEqualTo(key(ALICE.withAuthorities(List.of("b", "a")), Scope.USER));
	}

	@Test
	void scopesCannotPassForEachOther() {
		CallContext everybody = CallContext.ofSession("everybody").withUser("everybody");
		assertThat(Arrays.stream(Scope.values()).map((scope) -> key(everybody, scope))).doesNotContainNull()
			.doesNotHaveDuplicates();
	}

	@Test
	void nobodyHasNoKey() {
		assertThat(key(CallContext.empty().withUser("alice"), Scope.SESSION)).isNull();
		assertThat(key(CallContext.ofSession("").withUser("alice"), Scope.SESSION)).isNull();
		assertThat(key(CallContext.ofSession("s1"), Scope.USER)).isNull();
		assertThat(key(CallContext.ofSession("s1").withUser(""), Scope.USER)).isNull();
	}

	@Test
	void keyTellsNothingOfTheCall() {
		assertThat(key(map("password", "hunter2"))).matches("[0-9a-f]{64}");
	}

	private static @Nullable String key(CallContext context, Scope scope) {
		return CallKey.of(ToolCall.of("t", map(), context), scope);
	}

	private static String key(Map<String, Object> arguments) {
		return String.valueOf(CallKey.of(ToolCall.of("t", arguments), Scope.GLOBAL));
	}

	/** A map in the order of its names and values, which may be {@code null}. */
	private static Map<String, Object> map(@Nullable Object... namesAndValues) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			map.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
		}
		return map;
	}

	private static Map<String, Object> randomMap(Random random, int depth) {
		List<String> names = new ArrayList<>(List.of("a", "b", "ab", ""));
		Collections.shuffle(names, random);
		Map<String, Object> map = new LinkedHashMap<>();
		names.subList(0, random.nextInt(3)).forEach((name) -> map.put(name, randomValue(random, depth)));
		return map;
	}

	private static @Nullable Object randomValue(Random random, int depth) {
		return switch (random.nextInt((depth > 0) ? 8 : 6)) {
			case 0 -> null;
			case 1 -> random.nextBoolean();
			case 2 -> random.nextInt(3);
			case 3 -> (long) random.nextInt(3);
			case 4 -> random.nextInt(3) / 2.0;
			case 5 -> List.of("", "a", "b", "ab", "n", "s", "1").get(random.nextInt(7));
			case 6 -> randomMap(random, depth - 1);
			default -> Stream.generate(() -> randomValue(random, depth - 1)).limit(random.nextInt(3)).toList();
		};
	}

	private static String json(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return new TreeMap<>(map).entrySet()
				.stream()
				.map((entry) -> json(entry.getKey()) + ":" + json(entry.getValue()))
				.collect(Collectors.joining(",", "{", "}"));
		}
		if (value instanceof List<?> list) {
			return list.stream().map(CallKeyTests::json).collect(Collectors.joining(",", "[", "]"));
		}
		return (value instanceof String text) ? '"' + text + '"' : String.valueOf(value);
	}

}
