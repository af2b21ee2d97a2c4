package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LimitStore} in memory, in a time that passes only when a test says so.
 */
class MemoryLimitsTests extends LimitStoreContract {

	private @Nullable MemoryState<?> kept;

	MemoryLimitsTests() {
		super(new Random(1).nextLong());
	}

	@Test
	void keyOfACallThatRunsIsNotForgotten() {
		LimitStore limits = open("hook", List.of(WrittenLimit.of("1 per 1s")), Duration.ofDays(1), 1);
		LimitStore.Place slow = entered(limits, "a");
		pass(Duration.ofDays(400));
		assertThat(limits.enter(List.of("b"), null)).isInstanceOf(LimitStore.Full.class);
		assertThat(limits.enter(List.of("a"), null)).isInstanceOf(LimitStore.UsedUp.class);
		limits.leave(slow, true);
		pass(Duration.ofSeconds(1));
		assertThat(passing(limits, "b", 1)).isEqualTo(1);
	}

	@Test
	void hundredThousandNewKeysResetNoneThatIsUsedUpAndTakeNoMoreRoom() {
		LimitStore limits = open("hook", List.of(WrittenLimit.of("1 per 1h")), Duration.ofDays(1), 10_000);
		for (int i = 0; i < 5_000; i++) {
			assertThat(passing(limits, "used up" + i, 1)).isEqualTo(1);
		}
		pass(Duration.ofMinutes(30));
		int passed = 0;
		for (int i = 0; i < 100_000; i++) {
			pass(Duration.ofMillis(1));
			passed += passing(limits, "new" + i, 1);
		}
		assertThat(passed).isEqualTo(5_000);
		assertThat(size()).isEqualTo(10_000);
		for (int i = 0; i < 5_000; i++) {
			assertThat(limits.enter(List.of("used up" + i), null)).isInstanceOf(LimitStore.UsedUp.class);
		}
		pass(Duration.ofHours(1));
		for (int i = 0; i < 100_000; i++) {
			passed += passing(limits, "newer" + i, 1);
		}
		assertThat(passed).isEqualTo(15_000);
		assertThat(size()).isEqualTo(10_000);
	}

	/**
	 * Keys are forgotten and made again while others take from them.
	 */
	@RepeatedTest(20)
	void exactlySoManyOfManyThreadsPassAlsoWhileKeysAreForgotten() throws Exception {
		LimitStore limits = open("hook", List.of(WrittenLimit.of("7 per 1d")), Duration.ofDays(1), 50);
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
				assertThat(size()).isLessThanOrEqualTo(50);
				pass(Duration.ofDays(2));
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Override
	LimitStore open(String hook, List<WrittenLimit> limits, Duration forgetAfter, int maxKeys) {
		StateStore states = MemoryState.store(this.clock::get);
		return LimitStore.open(
				List.of(SharedLimits.of(hook, limits, forgetAfter, maxKeys, Integer.MAX_VALUE, SharedLimits.ENDLESS)),
				new StateStore() {

					@Override
					public <S> KeyedState<S> open(StateTerms<S> terms) {
						MemoryState<S> state = (MemoryState<S>) states.open(terms);
						MemoryLimitsTests.this.kept = state;
						return state;
					}

				});
	}

	private int size() {
		return Objects.requireNonNull(this.kept).size();
	}

	@Override
	int rounds() {
		return 60;
	}

}
