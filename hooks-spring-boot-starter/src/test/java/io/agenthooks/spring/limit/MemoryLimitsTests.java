package io.agenthooks.spring.limit;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryLimits}, in a time that passes only when a test says so.
 */
class MemoryLimitsTests {

	private final AtomicLong clock = new AtomicLong(new Random(1).nextLong());

	@Test
	void onlySoManyPassAndOneMoreEachShareOfThePeriod() {
		MemoryLimits limits = limits("10 per 1m");
		assertThat(passing(limits, "a", 15)).isEqualTo(10);
		assertThat(limits.enter("a")).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.freeIn()).isEqualTo(Duration.ofSeconds(6)));
		pass(Duration.ofSeconds(6).minusNanos(1));
		assertThat(passing(limits, "a", 1)).isZero();
		pass(Duration.ofNanos(1));
		assertThat(passing(limits, "a", 2)).isEqualTo(1);
		assertThat(passing(limits, "b", 15)).isEqualTo(10);
	}

	@Test
	void limitWithoutAPeriodNeverComesBackWhileItIsUsed() {
		MemoryLimits limits = limits("3 per session");
		assertThat(passing(limits, "a", 4)).isEqualTo(3);
		for (int day = 0; day < 2_000; day++) {
			pass(Duration.ofHours(23));
			assertThat(limits.enter("a")).isInstanceOfSatisfying(LimitStore.UsedUp.class,
					(usedUp) -> assertThat(usedUp.freeIn()).isNull());
		}
	}

	@Test
	void allLimitsOfAKeyHoldAndNoneIsTakenFromInVain() {
		MemoryLimits limits = limits("2 per 1s", "5 per session");
		assertThat(passing(limits, "a", 10)).isEqualTo(2);
		pass(Duration.ofSeconds(1));
		assertThat(passing(limits, "a", 10)).isEqualTo(2);
		pass(Duration.ofSeconds(1));
		assertThat(passing(limits, "a", 10)).isEqualTo(1);
		assertThat(limits.enter("a")).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.limits()).extracting(WrittenLimit::text)
					.containsExactly("5 per session"));
	}

	/**
	 * In every window no more calls that count begin, and no more of them end, than the
	 * burst and what comes back in the window, whatever others give back in between.
	 */
	@RepeatedTest(60)
	void neverMoreInAnyWindowThanTheLimitPromises(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		WrittenLimit limit = WrittenLimit.of("%d per %ds burst %d".formatted(1 + random.nextInt(20),
				1 + random.nextInt(90), 1 + random.nextInt(15)));
		MemoryLimits limits = limits(limit.text());
		List<Long> begun = new ArrayList<>();
		List<Long> ended = new ArrayList<>();
		List<Entered> open = new ArrayList<>();
		int givenBack = random.nextInt(10);
		for (int i = 0; i < 1_500; i++) {
			long period = period(limit);
			pass(Duration.ofNanos(
					(random.nextInt(10) == 0) ? random.nextLong(3 * period) : random.nextLong(period / limit.calls())));
			LimitStore.Place place = enter(limits, "a");
			if (place != null) {
				open.add(new Entered(place, this.clock.get()));
			}
			while (!open.isEmpty() && random.nextInt(3) == 0) {
				Entered call = open.remove(random.nextInt(open.size()));
				boolean counts = random.nextInt(10) >= givenBack;
				limits.leave(call.place(), counts);
				if (counts) {
					begun.add(call.at());
					ended.add(this.clock.get());
				}
			}
		}
		assertThat(begun).hasSizeGreaterThan(limit.burst());
		assertPromised(limit, begun);
		assertPromised(limit, ended);
	}

	private static void assertPromised(WrittenLimit limit, List<Long> times) {
		Collections.sort(times);
		for (int first = 0; first < times.size(); first++) {
			for (int last = first; last < times.size(); last++) {
				BigInteger back = BigInteger.valueOf(times.get(last) - times.get(first))
					.multiply(BigInteger.valueOf(limit.calls()))
					.divide(BigInteger.valueOf(period(limit)));
				assertThat(last - first + 1).isLessThanOrEqualTo(limit.burst() + back.intValueExact());
			}
		}
	}

	/**
	 * The others pass as if a call had not been that is given back.
	 */
	@RepeatedTest(40)
	void whatIsGivenBackLeavesNoTrace(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		MemoryLimits with = limits("5 per 10s", "30 per 1h burst 8");
		MemoryLimits without = limits("5 per 10s", "30 per 1h burst 8");
		for (int i = 0; i < 1_000; i++) {
			LimitStore.Place place = (random.nextBoolean()) ? enter(with, "a") : null;
			pass(Duration.ofMillis(random.nextInt(5_000)));
			if (place != null) {
				with.leave(place, false);
			}
			assertThat(passing(with, "a", 1)).isEqualTo(passing(without, "a", 1));
		}
	}

	@Test
	void callThatRunsHasItsPlaceHoweverLongItTakes() {
		MemoryLimits limits = limits("2 per 1m");
		LimitStore.Place slow = enter(limits, "a");
		assertThat(slow).isNotNull();
		pass(Duration.ofMinutes(5));
		assertThat(passing(limits, "a", 3)).isEqualTo(1);
		assertThat(limits.enter("a")).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.running()).isTrue());
		limits.leave(slow, false);
		assertThat(passing(limits, "a", 3)).isEqualTo(1);
	}

	@Test
	void keyOfACallThatRunsIsNotForgotten() {
		MemoryLimits limits = new MemoryLimits(List.of(WrittenLimit.of("1 per 1s")), Duration.ofDays(1), 1,
				this.clock::get);
		LimitStore.Place slow = enter(limits, "a");
		assertThat(slow).isNotNull();
		pass(Duration.ofDays(400));
		assertThat(limits.enter("b")).isInstanceOf(LimitStore.Full.class);
		assertThat(limits.enter("a")).isInstanceOf(LimitStore.UsedUp.class);
		limits.leave(slow, true);
		pass(Duration.ofSeconds(1));
		assertThat(passing(limits, "b", 1)).isEqualTo(1);
	}

	@Test
	void lookingTakesNothing() {
		MemoryLimits limits = limits("1 per session");
		for (int i = 0; i < 5; i++) {
			assertThat(limits.look("a")).isInstanceOf(LimitStore.Enough.class);
		}
		assertThat(limits.size()).isZero();
		assertThat(passing(limits, "a", 2)).isEqualTo(1);
		assertThat(limits.look("a")).isInstanceOf(LimitStore.UsedUp.class);
	}

	@Test
	void newKeysMakeNoPlaceAmongThoseThatAreUsedUp() {
		MemoryLimits limits = new MemoryLimits(List.of(WrittenLimit.of("1 per 1h")), Duration.ofDays(1), 3,
				this.clock::get);
		assertThat(List.of(passing(limits, "a", 1), passing(limits, "b", 1), passing(limits, "c", 1))).containsOnly(1);
		for (int i = 0; i < 1_000; i++) {
			pass(Duration.ofSeconds(1));
			assertThat(limits.look("new" + i)).isInstanceOf(LimitStore.Full.class);
			assertThat(limits.enter("new" + i)).isInstanceOf(LimitStore.Full.class);
		}
		assertThat(List.of(passing(limits, "a", 1), passing(limits, "b", 1), passing(limits, "c", 1))).containsOnly(0);
		assertThat(limits.size()).isEqualTo(3);
		pass(Duration.ofHours(1));
		assertThat(limits.look("d")).isInstanceOf(LimitStore.Enough.class);
		assertThat(passing(limits, "d", 1)).isEqualTo(1);
		assertThat(limits.size()).isEqualTo(1);
	}

	@Test
	void sessionIsForgottenOnlyAfterATimeWithoutACall() {
		MemoryLimits limits = new MemoryLimits(List.of(WrittenLimit.of("1 per session")), Duration.ofHours(2), 1,
				this.clock::get);
		assertThat(passing(limits, "a", 1)).isEqualTo(1);
		pass(Duration.ofHours(1));
		assertThat(passing(limits, "a", 1)).isZero();
		pass(Duration.ofHours(2).minusNanos(1));
		assertThat(limits.enter("b")).isInstanceOf(LimitStore.Full.class);
		pass(Duration.ofHours(1));
		assertThat(passing(limits, "b", 1)).isEqualTo(1);
	}

	/**
	 * Keys are forgotten and made again while others take from them.
	 */
	@RepeatedTest(20)
	void exactlySoManyOfManyThreadsPassAlsoWhileKeysAreForgotten() throws Exception {
		MemoryLimits limits = new MemoryLimits(List.of(WrittenLimit.of("7 per 1d")), Duration.ofDays(1), 50,
				this.clock::get);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			for (int round = 0; round < 20; round++) {
				List<Callable<Integer>> callers = new ArrayList<>();
				for (int i = 0; i < 100; i++) {
					callers.add(() -> passing(limits, "hot", 1));
					String other = "other" + i % 60;
					callers.add(() -> passing(limits, other, 1) * 0);
				}
				int passed = 0;
				for (Future<Integer> caller : threads.invokeAll(callers)) {
					passed += caller.get();
				}
				// It has a place, or there is none for it; it never has two.
				assertThat(passed).isIn(0, 7);
				assertThat(limits.size()).isLessThanOrEqualTo(50);
				pass(Duration.ofDays(2));
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 100 })
	void exactlySoManyOfManyThreadsPass(int calls) throws Exception {
		MemoryLimits limits = limits(calls + " per session");
		ExecutorService threads = Executors.newFixedThreadPool(16);
		try {
			List<Callable<Integer>> callers = Collections.nCopies(400, () -> passing(limits, "a", 1));
			int passed = 0;
			for (Future<Integer> caller : threads.invokeAll(callers)) {
				passed += caller.get();
			}
			assertThat(passed).isEqualTo(calls);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private MemoryLimits limits(String... limits) {
		return new MemoryLimits(Arrays.stream(limits).map(WrittenLimit::of).toList(), Duration.ofDays(1), 1_000,
				this.clock::get);
	}

	private static long period(WrittenLimit limit) {
		Duration period = limit.period();
		assertThat(period).isNotNull();
		return period.toNanos();
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	private static LimitStore.@Nullable Place enter(MemoryLimits limits, String key) {
		return (limits.enter(key) instanceof LimitStore.Enough enough) ? enough.place() : null;
	}

	private static int passing(MemoryLimits limits, String key, int tries) {
		int passed = 0;
		for (int i = 0; i < tries; i++) {
			LimitStore.Place place = enter(limits, key);
			if (place != null) {
				limits.leave(place, true);
				passed++;
			}
		}
		return passed;
	}

	/**
	 * A call that passed.
	 *
	 * @param place its place
	 * @param at when
	 */
	private record Entered(LimitStore.Place place, long at) {
	}

}
