package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.spring.limit.RateLimitConfig.Count;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What limits of one hook promise that count by different parts of a call, in every
 * store.
 */
abstract class LimitPartsContract {

	private static final List<String> PARTS = List.of("tool", "session", "run", "user", "agent", "workspace",
			"claim:tenant");

	private static final AtomicInteger names = new AtomicInteger();

	abstract LimitStores stores();

	static Stream<Arguments> pairs() {
		return PARTS.stream()
			.flatMap((one) -> PARTS.stream().filter((other) -> !other.equals(one)).map((o) -> Arguments.of(one, o)));
	}

	/**
	 * Limits of 2 and 5, over calls with two or three values of each part.
	 */
	@ParameterizedTest
	@MethodSource("pairs")
	void eachLimitCountsByItsOwnPart(String one, String other) {
		ToolHookChain chain = chain(config(List.of("2 per " + one, "5 per " + other), null, null));
		Map<String, Integer> counted = new HashMap<>();
		Random random = new Random((one + other).hashCode());
		for (int i = 0; i < 24; i++) {
			Map<String, String> values = new HashMap<>();
			PARTS.forEach((part) -> values.put(part, part.substring(0, 1) + random.nextInt(2)));
			values.put(one, "one" + random.nextInt(5));
			String first = one + values.get(one);
			String second = other + values.get(other);
			boolean expected = counted.getOrDefault(first, 0) < 2 && counted.getOrDefault(second, 0) < 5;
			assertThat(passes(chain, values)).as("call %d", i).isEqualTo(expected);
			if (expected) {
				counted.merge(first, 1, Integer::sum);
				counted.merge(second, 1, Integer::sum);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Count.class)
	void callThatOneLimitDeniesUsesUpNoneOfTheOthers(Count count) {
		ToolHookChain chain = chain(config(List.of("1 per run", "3 per session", "4 per user"), null, count));
		for (String run : List.of("a", "a", "a", "a", "b", "b")) {
			boolean unused = passes(chain, Map.of("run", run, "session", "s"));
		}
		assertThat(passes(chain, Map.of("run", "c", "session", "s"))).isTrue();
		assertThat(passes(chain, Map.of("run", "d", "session", "s"))).isFalse();
		assertThat(passes(chain, Map.of("run", "d", "session", "t"))).isTrue();
		assertThat(passes(chain, Map.of("run", "e", "session", "u"))).isFalse();
	}

	@Test
	void callThatIsDeniedForWantOfRoomUsesUpNothing() {
		List<LimitGroup> groups = new KeyReader(TestExpressions.READER, new ArrayList<>()).read(null, null,
				List.of(WrittenLimit.of("5 per run"), WrittenLimit.of("5 per session")));
		LimitStore store = stores().make("full" + names.incrementAndGet(), groups, Duration.ofDays(1), 1);
		assertThat(store.take(List.of("r1", "s"), null)).isInstanceOf(LimitStore.Enough.class);
		for (int i = 0; i < 10; i++) {
			assertThat(store.take(List.of("r2", "s"), null)).isInstanceOf(LimitStore.Full.class);
		}
		assertThat(store.take(List.of("r1", "s"), null)).isInstanceOf(LimitStore.Enough.class);
	}

	@Test
	void keyIsAPartOfAllOfThem() {
		ToolHookChain chain = chain(config(List.of("1 per run", "2 per session"), List.of("tool"), null));
		for (String tool : List.of("x", "y")) {
			assertThat(passes(chain, Map.of("run", "a", "session", "s", "tool", tool))).isTrue();
			assertThat(passes(chain, Map.of("run", "a", "session", "s", "tool", tool))).isFalse();
			assertThat(passes(chain, Map.of("run", "b", "session", "s", "tool", tool))).isTrue();
			assertThat(passes(chain, Map.of("run", "c", "session", "s", "tool", tool))).isFalse();
		}
	}

	/** Values that would be the same if they were joined are counted apart. */
	@Test
	void partsOfAKeyAreNotJoined() {
		ToolHookChain chain = chain(config(List.of("1 per run", "9 per tool"), List.of("user", "session"), null));
		List<List<String>> keys = List.of(List.of("a", "bc", "d"), List.of("ab", "c", "d"), List.of("a", "b", "cd"),
				List.of("a|b", "c", "d"), List.of("a", "b|c", "d"), List.of("a\nb", "c", "d"),
				List.of("a", "b\nc", "d"), List.of("1:a", "b", "c"), List.of("1", "a1:b", "c"),
				List.of("a,b", "c", "d"), List.of("a", "b,c", "d"));
		for (boolean expected : List.of(true, false)) {
			for (List<String> key : keys) {
				assertThat(passes(chain, Map.of("user", key.get(0), "session", key.get(1), "run", key.get(2))))
					.as("%s", key)
					.isEqualTo(expected);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "\u200b", "\u00a0\u3000" })
	void blankPartIsNone(String blank) {
		ToolHookChain chain = chain(config(List.of("5 per run", "9 per user"), null, null));
		assertThat(passes(chain, Map.of("run", blank))).isFalse();
		assertThat(passes(chain, Map.of("run", "a", "user", blank))).isFalse();
		assertThat(passes(chain, Map.of("run", "a"))).isTrue();
	}

	@Test
	void failedCallGivesAllItsPlacesBack() {
		ToolHookChain chain = chain(config(List.of("1 per run", "1 per session"), null, Count.SUCCEEDED));
		ToolCall call = call(Map.of("run", "a", "session", "s"));
		assertThat(chain.execute(call, (same) -> ToolResult.failure("no")).succeeded()).isFalse();
		assertThat(passes(chain, Map.of("run", "a", "session", "s"))).isTrue();
		assertThat(passes(chain, Map.of("run", "a", "session", "t"))).isFalse();
		assertThat(passes(chain, Map.of("run", "b", "session", "s"))).isFalse();
		assertThat(passes(chain, Map.of("run", "b", "session", "t"))).isTrue();
	}

	@Test
	void callHoldsAPlaceOfEachWhileItRuns() {
		ToolHookChain chain = chain(config(List.of("1 per agent_run", "2 per session"), null, Count.SUCCEEDED));
		List<Boolean> inner = new ArrayList<>();
		chain.execute(call(Map.of("run", "a", "session", "s")), (call) -> {
			inner.add(passes(chain, Map.of("run", "a", "session", "t")));
			inner.add(passes(chain, Map.of("run", "b", "session", "s")));
			inner.add(passes(chain, Map.of("run", "c", "session", "s")));
			return ToolResult.success("");
		});
		assertThat(inner).containsExactly(false, true, false);
	}

	@Test
	void callThatLacksAPartIsDeniedOrCountedByTheOthers() {
		RateLimitConfig config = config(List.of("1 per run", "2 per session"), null, null);
		assertThat(passes(chain(config), Map.of("session", "s"))).isFalse();
		ToolHookChain skipping = chain(
				new RateLimitConfig(config.limit(), null, null, OnMissingKey.SKIP, null, null, null, null));
		assertThat(passes(skipping, Map.of("session", "s"))).isTrue();
		assertThat(passes(skipping, Map.of("session", "s", "run", "a"))).isTrue();
		assertThat(passes(skipping, Map.of("session", "s"))).isFalse();
		assertThat(passes(skipping, Map.of("run", "a"))).isFalse();
		assertThat(passes(skipping, Map.of("run", "b"))).isTrue();
		assertThat(passes(skipping, Map.of())).isTrue();
	}

	/**
	 * So nothing is counted for a moment that is given back then.
	 */
	@Test
	void callsAtTheSameTimeAreCountedInOneStep() throws Exception {
		ToolHookChain chain = chain(config(List.of("1 per user", "6 per session"), null, null));
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Callable<Boolean>> calls = new ArrayList<>();
			for (int i = 0; i < 60; i++) {
				String user = "user" + i % 12;
				calls.add(() -> passes(chain, Map.of("user", user, "session", "s")));
			}
			int passed = 0;
			for (Future<Boolean> one : threads.invokeAll(calls)) {
				passed += (one.get()) ? 1 : 0;
			}
			assertThat(passed).isEqualTo(6);
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void callThatWaitedForPeopleIsNotCountedAgain() {
		LimitStores stores = stores();
		RateLimitToolHook hook = new RateLimitToolHook("limit" + names.incrementAndGet(),
				config(List.of("1 per run", "2 per session"), null, null), TestExpressions.READER, stores);
		AtomicBoolean approved = new AtomicBoolean();
		PreToolHook asking = (call) -> ToolDecision.ask("May it?");
		ToolHookChain asked = new ToolHookChain(List.of(hook, asking), List.of(hook),
				(call, question) -> (approved.get()) ? ToolDecision.approve() : question.pendingAs("q"));
		ToolHookChain chain = new ToolHookChain(List.of(hook), List.of(hook), ToolApprover.nobody());
		ToolCall call = call(Map.of("run", "a", "session", "s"));
		assertThatExceptionOfType(TurnSuspendedException.class)
			.isThrownBy(() -> asked.execute(call, (same) -> ToolResult.success("")));
		approved.set(true);
		assertThat(passes(chain, Map.of("run", "a", "session", "s"))).isFalse();
		assertThat(asked.execute(call, (same) -> ToolResult.success("")).succeeded()).isTrue();
		assertThat(passes(chain, Map.of("run", "b", "session", "s"))).isTrue();
		assertThat(passes(chain, Map.of("run", "c", "session", "s"))).isFalse();
	}

	@Test
	void reasonNamesTheLimitsThatAreUsedUp() {
		ToolHookChain chain = chain(config(List.of("1 per run", "1 per session", "9 per user"), null, null));
		assertThat(passes(chain, Map.of("run", "a", "session", "s"))).isTrue();
		assertThat(chain.execute(call(Map.of("run", "b", "session", "s")), (call) -> ToolResult.success("")).content())
			.contains("The limit of 1 per session for this session is used up.");
		assertThat(chain.execute(call(Map.of("run", "a", "session", "s")), (call) -> ToolResult.success("")).content())
			.contains("The limit of 1 per run and of 1 per session for this run and for this session is used up.");
	}

	private ToolHookChain chain(RateLimitConfig config) {
		RateLimitToolHook hook = new RateLimitToolHook("limit" + names.incrementAndGet(), config,
				TestExpressions.READER, stores());
		return new ToolHookChain(List.of(hook), List.of(hook), ToolApprover.nobody());
	}

	private static RateLimitConfig config(List<String> limits, @Nullable List<String> key, @Nullable Count count) {
		return new RateLimitConfig(limits, key, null, null, count, null, null, null);
	}

	private static boolean passes(ToolHookChain chain, Map<String, String> values) {
		return chain.execute(call(values), (call) -> ToolResult.success("")).succeeded();
	}

	private static ToolCall call(Map<String, String> values) {
		CallContext context = CallContext.ofSession(values.get("session"))
			.withRunId(values.get("run"))
			.withUser(values.getOrDefault("user", "ann"))
			.withAgent(values.get("agent"))
			.withWorkspace(values.getOrDefault("workspace", "main"));
		String tenant = values.get("claim:tenant");
		return ToolCall.of(values.getOrDefault("tool", "refund"), Map.of(),
				(tenant != null) ? context.withClaims(Map.of("tenant", tenant)) : context);
	}

}
