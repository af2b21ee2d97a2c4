package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * What every {@link LimitStore} promises, in a time that passes only when a test says so.
 */
abstract class LimitStoreContract {

	static final Duration MICRO = Duration.ofNanos(1_000);

	/** In nanoseconds. */
	final AtomicLong clock;

	private int hooks;

	LimitStoreContract(long start) {
		this.clock = new AtomicLong(start);
	}

	/**
	 * Make the store of a hook. One that is shared knows what others of the hook did.
	 */
	abstract LimitStore open(String hook, List<WrittenLimit> limits, Duration forgetAfter, int maxKeys);

	/**
	 * How much of a long test is bearable.
	 */
	abstract int rounds();

	boolean isShared() {
		return false;
	}

	@Test
	void onlySoManyPassAndOneMoreEachShareOfThePeriod() {
		LimitStore limits = limits("10 per 1m");
		assertThat(passing(limits, "a", 15)).isEqualTo(10);
		assertThat(limits.enter(List.of("a"), null)).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.freeIn()).isEqualTo(Duration.ofSeconds(6)));
		pass(Duration.ofSeconds(6).minus(MICRO));
		assertThat(passing(limits, "a", 1)).isZero();
		pass(MICRO);
		assertThat(passing(limits, "a", 2)).isEqualTo(1);
		assertThat(passing(limits, "b", 15)).isEqualTo(10);
	}

	@Test
	void limitWithoutAPeriodNeverComesBackWhileItIsUsed() {
		LimitStore limits = limits("3 per session");
		assertThat(passing(limits, "a", 4)).isEqualTo(3);
		for (int day = 0; day < 33 * rounds(); day++) {
			pass(Duration.ofHours(23));
			assertThat(limits.enter(List.of("a"), null)).isInstanceOfSatisfying(LimitStore.UsedUp.class,
					(usedUp) -> assertThat(usedUp.freeIn()).isNull());
		}
	}

	@Test
	void allLimitsOfAKeyHoldAndNoneIsTakenFromInVain() {
		LimitStore limits = limits("2 per 1s", "5 per session");
		assertThat(passing(limits, "a", 10)).isEqualTo(2);
		pass(Duration.ofSeconds(1));
		assertThat(passing(limits, "a", 10)).isEqualTo(2);
		pass(Duration.ofSeconds(1));
		assertThat(passing(limits, "a", 10)).isEqualTo(1);
		assertThat(limits.enter(List.of("a"), null)).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.limits()).extracting(WrittenLimit::text)
					.containsExactly("5 per session"));
	}

	/**
	 * In every window no more calls that count begin, and no more of them end, than the
	 * burst and what comes back in the window, whatever others give back in between.
	 */
	@Test
	void neverMoreInAnyWindowThanTheLimitPromises() {
		for (int round = 1; round <= rounds(); round++) {
			Random random = new Random(round);
			WrittenLimit limit = WrittenLimit.of("%d per %ds burst %d".formatted(1 + random.nextInt(20),
					1 + random.nextInt(90), 1 + random.nextInt(15)));
			assertNeverMore(random, limit, limits(limit.text()), Math.max(250, 25 * rounds()));
		}
	}

	private void assertNeverMore(Random random, WrittenLimit limit, LimitStore limits, int tries) {
		List<Long> begun = new ArrayList<>();
		List<Long> ended = new ArrayList<>();
		List<Entered> open = new ArrayList<>();
		int givenBack = random.nextInt(10);
		long period = period(limit) / 1_000;
		for (int i = 0; i < tries; i++) {
			pass(MICRO.multipliedBy(
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
		long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
		long period = period(limit);
		for (int first = 0; first < sorted.length; first++) {
			for (int last = first; last < sorted.length; last++) {
				long back = Math.multiplyExact(sorted[last] - sorted[first], limit.calls()) / period;
				// Not by an assertion each, since there are some millions.
				if (last - first + 1 > limit.burst() + back) {
					fail("%d calls from %d to %d", last - first + 1, sorted[first], sorted[last]);
				}
			}
		}
	}

	/**
	 * The others pass as if a call had not been that is given back.
	 */
	@Test
	void whatIsGivenBackLeavesNoTrace() {
		Random random = new Random(1);
		LimitStore with = limits("5 per 10s", "30 per 1h burst 8");
		LimitStore without = limits("5 per 10s", "30 per 1h burst 8");
		for (int i = 0; i < 50 * rounds(); i++) {
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
		LimitStore limits = limits("2 per 1m");
		LimitStore.Place slow = entered(limits, "a");
		pass(Duration.ofMinutes(5));
		assertThat(passing(limits, "a", 3)).isEqualTo(1);
		assertThat(limits.enter(List.of("a"), null)).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.running()).isTrue());
		limits.leave(slow, false);
		assertThat(passing(limits, "a", 3)).isEqualTo(1);
	}

	@Test
	void lookingTakesNothing() {
		LimitStore limits = limits("1 per session");
		for (int i = 0; i < 5; i++) {
			assertThat(limits.look(List.of("a"), null)).isInstanceOf(LimitStore.Enough.class);
		}
		assertThat(passing(limits, "a", 2)).isEqualTo(1);
		assertThat(limits.look(List.of("a"), null)).isInstanceOf(LimitStore.UsedUp.class);
	}

	@Test
	void callThatWasCountedPassesOnceMoreAndOnlyWithItsKey() {
		LimitStore store = make("resumed", "2 per session");
		LimitStore other = (isShared()) ? make("resumed", "2 per session") : store;
		assertThat(store.take(List.of("a"), "call1")).isInstanceOf(LimitStore.Enough.class);
		store.remember(List.of("a"), "call1");
		store.leave(entered(store, "a"), true);
		store.remember(List.of("a"), "call2");
		pass(Duration.ofHours(23));
		assertThat(other.look(List.of("a"), null)).isInstanceOf(LimitStore.UsedUp.class);
		assertThat(other.look(List.of("a"), "call1")).isInstanceOf(LimitStore.Enough.class);
		assertThat(other.take(List.of("b"), "call1")).isInstanceOfSatisfying(LimitStore.Enough.class,
				(enough) -> assertThat(passing(other, "b", 2)).isOne());
		assertThat(other.take(List.of("a"), "call3")).isInstanceOf(LimitStore.UsedUp.class);
		assertThat(other.enter(List.of("a"), "call2")).isEqualTo(new LimitStore.Enough(null));
		assertThat(other.take(List.of("a"), "call1")).isEqualTo(new LimitStore.Enough(null));
		for (String again : List.of("call1", "call2")) {
			assertThat(other.look(List.of("a"), again)).isInstanceOf(LimitStore.UsedUp.class);
			assertThat(store.take(List.of("a"), again)).isInstanceOf(LimitStore.UsedUp.class);
			assertThat(other.enter(List.of("a"), again)).isInstanceOf(LimitStore.UsedUp.class);
		}
	}

	@Test
	void callsWithTheSameIdPassOnceEach() {
		LimitStore store = make("same id", "3 per session");
		for (int i = 0; i < 3; i++) {
			assertThat(store.take(List.of("a"), "call")).isInstanceOf(LimitStore.Enough.class);
		}
		for (int i = 0; i < 3; i++) {
			store.remember(List.of("a"), "call");
		}
		for (int i = 0; i < 3; i++) {
			assertThat(store.take(List.of("a"), "call")).isEqualTo(new LimitStore.Enough(null));
		}
		assertThat(store.take(List.of("a"), "call")).isInstanceOf(LimitStore.UsedUp.class);
	}

	@Test
	void callThatIsResumedWhenItsLimitHasComeBackIsNotCountedAgain() {
		LimitStore store = limits("2 per 1s");
		assertThat(store.take(List.of("a"), "call1")).isInstanceOf(LimitStore.Enough.class);
		store.remember(List.of("a"), "call1");
		pass(Duration.ofHours(5));
		assertThat(store.take(List.of("a"), "call1")).isInstanceOf(LimitStore.Enough.class);
		assertThat(passing(store, "a", 3)).isEqualTo(2);
	}

	@Test
	void newKeysMakeNoPlaceAmongThoseThatAreUsedUp() {
		LimitStore limits = open("hook", List.of(WrittenLimit.of("1 per 1h")), Duration.ofDays(1), 3);
		assertThat(List.of(passing(limits, "a", 1), passing(limits, "b", 1), passing(limits, "c", 1))).containsOnly(1);
		for (int i = 0; i < 16 * rounds(); i++) {
			pass(Duration.ofSeconds(1));
			assertThat(limits.look(List.of("new" + i), null)).isInstanceOf(LimitStore.Full.class);
			assertThat(limits.enter(List.of("new" + i), null)).isInstanceOf(LimitStore.Full.class);
		}
		assertThat(List.of(passing(limits, "a", 1), passing(limits, "b", 1), passing(limits, "c", 1))).containsOnly(0);
		pass(Duration.ofHours(1));
		assertThat(limits.look(List.of("d"), null)).isInstanceOf(LimitStore.Enough.class);
		assertThat(passing(limits, "d", 1)).isEqualTo(1);
	}

	@Test
	void sessionIsForgottenOnlyAfterATimeWithoutACall() {
		LimitStore limits = open("hook", List.of(WrittenLimit.of("1 per session")), Duration.ofHours(2), 1);
		assertThat(passing(limits, "a", 1)).isEqualTo(1);
		pass(Duration.ofHours(1));
		assertThat(passing(limits, "a", 1)).isZero();
		pass(Duration.ofHours(2).minus(MICRO));
		assertThat(limits.enter(List.of("b"), null)).isInstanceOf(LimitStore.Full.class);
		pass(Duration.ofHours(1));
		assertThat(passing(limits, "b", 1)).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 40 })
	void exactlySoManyOfManyThreadsPass(int calls) throws Exception {
		String limit = calls + " per session";
		LimitStore one = make("hot", limit);
		LimitStore two = (isShared()) ? make("hot", limit) : one;
		ExecutorService threads = Executors.newFixedThreadPool(16);
		try {
			List<Callable<Integer>> callers = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				LimitStore node = (i % 2 == 0) ? one : two;
				callers.add((i % 3 == 0) ? () -> passing(node, "a", 1)
						: () -> (node.take(List.of("a"), null) instanceof LimitStore.Enough) ? 1 : 0);
			}
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

	/**
	 * The store of one more hook.
	 */
	LimitStore limits(String... limits) {
		return make("hook" + ++this.hooks, limits);
	}

	private LimitStore make(String hook, String... limits) {
		return open(hook, Arrays.stream(limits).map(WrittenLimit::of).toList(), Duration.ofDays(1), 1_000);
	}

	private static long period(WrittenLimit limit) {
		return Objects.requireNonNull(limit.period()).toNanos();
	}

	void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	static LimitStore.@Nullable Place enter(LimitStore limits, String key) {
		return (limits.enter(List.of(key), null) instanceof LimitStore.Enough enough) ? enough.place() : null;
	}

	static LimitStore.Place entered(LimitStore limits, String key) {
		return Objects.requireNonNull(enter(limits, key));
	}

	static int passing(LimitStore limits, String key, int tries) {
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
