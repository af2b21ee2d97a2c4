package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.StateStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store promises that nodes share.
 */
abstract class SharedLimitStoreContract extends LimitStoreContract {

	private static final String[][] WRITTEN = { { "5 per 10s" }, { "7 per 1m burst 3", "20 per session" },
			{ "3 per session" }, { "1 per 1s", "30 per 1h burst 8" }, { "13 per 7s burst 2" } };

	SharedLimitStoreContract() {
		super(1_763_000_000_000_000_000L);
	}

	@Override
	boolean isShared() {
		return true;
	}

	@Override
	int rounds() {
		return 5;
	}

	@Override
	LimitStore open(String hook, List<WrittenLimit> limits, Duration forgetAfter, int maxKeys) {
		return open(SharedLimits.of(hook, limits, forgetAfter, maxKeys, SharedLimits.MAX_PLACES, SharedLimits.LEASE),
				true);
	}

	LimitStore open(SharedLimits limits, boolean isVirtual) {
		return LimitStore.open(List.of(limits), states(isVirtual));
	}

	long micros() {
		return this.clock.get() / 1_000;
	}

	/**
	 * Where state is kept.
	 * @param isVirtual whether it has the clock of the test, and not its own
	 */
	abstract StateStore states(boolean isVirtual);

	private static SharedLimits shared(String hook, String... limits) {
		return SharedLimits.of(hook, List.of(limits).stream().map(WrittenLimit::of).toList(), Duration.ofDays(1), 1_000,
				SharedLimits.MAX_PLACES, SharedLimits.LEASE);
	}

	@Test
	void answersAreThoseOfTheMemoryStore() {
		for (String[] written : WRITTEN) {
			SharedLimits limits = shared("same", written);
			LimitStore store = open(limits, true);
			LimitStore memory = LimitStore.open(List.of(limits), MemoryState.store(this.clock::get));
			Random random = new Random(written.length);
			List<LimitStore.@Nullable Place> places = new ArrayList<>();
			List<LimitStore.@Nullable Place> expected = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				pass(MICRO.multipliedBy((random.nextInt(4) == 0) ? 0 : random.nextInt(1_500_000)));
				assertSame(store.look(List.of("a"), null), memory.look(List.of("a"), null));
				LimitStore.Answer answer = (i % 3 == 0) ? store.take(List.of("a"), null)
						: store.enter(List.of("a"), null);
				LimitStore.Answer right = (i % 3 == 0) ? memory.take(List.of("a"), null)
						: memory.enter(List.of("a"), null);
				assertSame(answer, right);
				if (answer instanceof LimitStore.Enough enough && enough.place() != null
						&& right instanceof LimitStore.Enough same) {
					places.add(enough.place());
					expected.add(same.place());
				}
				while (!places.isEmpty() && random.nextInt(3) > 0) {
					int left = random.nextInt(places.size());
					boolean counts = random.nextBoolean();
					store.leave(places.remove(left), counts);
					memory.leave(expected.remove(left), counts);
				}
			}
		}
	}

	private static void assertSame(LimitStore.Answer answer, LimitStore.Answer right) {
		assertThat(answer).hasSameClassAs(right);
		if (answer instanceof LimitStore.UsedUp is && right instanceof LimitStore.UsedUp expected) {
			assertThat(is.limits()).isEqualTo(expected.limits());
			assertThat(is.running()).isEqualTo(expected.running());
			assertThat(is.freeIn() == null).isEqualTo(expected.freeIn() == null);
			if (is.freeIn() != null && expected.freeIn() != null) {
				assertThat(is.freeIn().minus(expected.freeIn())).isBetween(Duration.ZERO, MICRO);
			}
		}
	}

	@Test
	void nodesOfOneHookCountTogetherAndOtherHooksForThemselves() {
		LimitStore one = open(shared("a", "3 per session"), true);
		LimitStore two = open(shared("a", "3 per session"), true);
		assertThat(passing(one, "k", 2)).isEqualTo(2);
		assertThat(passing(two, "k", 2)).isEqualTo(1);
		assertThat(one.look(List.of("k"), null)).isInstanceOf(LimitStore.UsedUp.class);
		assertThat(passing(open(shared("b", "3 per session"), true), "k", 4)).isEqualTo(3);
		assertThat(passing(open(shared("a", "4 per session"), true), "k", 5)).isEqualTo(4);
	}

	@Test
	void placeOfANodeThatIsGoneCountsWhenItsLeaseEnds() {
		LimitStore killed = open(shared("lease", "1 per 1m"), true);
		LimitStore.Place place = entered(killed, "k");
		LimitStore other = open(shared("lease", "1 per 1m"), true);
		pass(SharedLimits.LEASE.minus(MICRO));
		assertThat(other.enter(List.of("k"), null)).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.running()).isTrue());
		pass(MICRO);
		assertThat(other.enter(List.of("k"), null)).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.running()).isFalse());
		pass(Duration.ofMinutes(1));
		assertThat(passing(other, "k", 2)).isEqualTo(1);
		assertThat(place).isNotNull();
	}

	@Test
	void callThatEndsAfterItsLeaseIsCountedOnce() {
		LimitStore store = open(shared("late", "3 per session"), true);
		LimitStore.Place late = entered(store, "k");
		LimitStore.Place failed = entered(store, "k");
		pass(SharedLimits.LEASE);
		store.leave(late, true);
		store.leave(failed, false);
		assertThat(passing(store, "k", 3)).isEqualTo(1);
	}

	@Test
	void placeIsGivenBackOnce() {
		LimitStore store = open(shared("once", "2 per session"), true);
		LimitStore.Place place = entered(store, "k");
		entered(store, "k");
		store.leave(place, false);
		store.leave(place, false);
		store.leave(place, true);
		assertThat(passing(store, "k", 3)).isEqualTo(1);
	}

	@Test
	void timeIsThatOfTheStore() {
		LimitStore store = open(shared("clock", "2 per 10s"), false);
		assertThat(passing(store, "k", 2)).isEqualTo(2);
		assertThat(store.enter(List.of("k"), null)).isInstanceOfSatisfying(LimitStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.freeIn()).isBetween(Duration.ZERO, Duration.ofSeconds(5)));
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> store.look(List.of("k"), null) instanceof LimitStore.Enough);
		assertThat(store.take(List.of("k"), null)).isInstanceOf(LimitStore.Enough.class);
	}

	@Test
	void largestNumbersAreCountedExactly() {
		LimitStore store = open(shared("large", "999983 per 366d burst 3", "1000000 per session"), true);
		assertThat(passing(store, "k", 4)).isEqualTo(3);
		pass(MICRO.multipliedBy(31_622_937));
		assertThat(passing(store, "k", 1)).isZero();
		pass(MICRO);
		assertThat(passing(store, "k", 2)).isEqualTo(1);
	}

}
