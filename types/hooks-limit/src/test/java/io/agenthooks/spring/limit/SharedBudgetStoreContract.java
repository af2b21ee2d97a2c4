package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.spring.state.StateStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store of budgets promises that nodes share, in a time that passes only when
 * a test says so.
 */
abstract class SharedBudgetStoreContract {

	private static final Duration LONG_LEASE = Duration.ofDays(4_000);

	Instant now = Instant.parse("2025-03-29T20:00:00.000123Z");

	/**
	 * Open a store of one more node.
	 * @param isVirtual whether it has the clock of the test, and not its own
	 */
	final BudgetStore open(SharedBudget budget, boolean isVirtual) {
		return BudgetStore.open(budget, states(isVirtual));
	}

	/**
	 * Where state is kept.
	 * @param isVirtual whether it has the clock of the test, and not its own
	 */
	abstract StateStore states(boolean isVirtual);

	long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, this.now);
	}

	private void pass(Duration time) {
		this.now = this.now.plus(time);
	}

	private static BudgetTerms terms(String limit, @Nullable BudgetPeriod period, String warnBelow, int maxKeys) {
		return new BudgetTerms(new BigDecimal(limit), (period != null) ? period.text() : "session", period,
				ZoneId.of("Europe/Berlin"), new LimitKey(List.of(), null), OnMissingKey.DENY, new BigDecimal(warnBelow),
				maxKeys, Duration.ofHours(1));
	}

	private static SharedBudget budget(String hook, String limit, @Nullable BudgetPeriod period) {
		return SharedBudget.of(hook, "calls", terms(limit, period, "-1", 100), SharedLimits.MAX_PLACES,
				SharedLimits.LEASE);
	}

	private static boolean take(BudgetStore store, String key, String amount) {
		return store.take(key, new BigDecimal(amount)) instanceof BudgetStore.Enough;
	}

	private static BudgetStore.Place reserve(BudgetStore store, String key, String amount) {
		return Objects.requireNonNull(((BudgetStore.Enough) store.reserve(key, new BigDecimal(amount))).place());
	}

	private static BigDecimal left(BudgetStore store, String key) {
		return ((BudgetStore.UsedUp) store.look(key, SharedBudget.MOST)).left();
	}

	/**
	 * Whatever order calls begin and end in, and whatever they use up.
	 */
	@ParameterizedTest
	@CsvSource({ "1, 100.5, , 20.1", "2, 100.5, DAY, 20.1", "3, 1000000000000000, MONTH, -1", "4, 3, WEEK, 0",
			"5, 0.00000000000000000000000000000000000007, , 0.00000000000000000000000000000000000002" })
	void answersAreThoseOfTheMemoryStore(long seed, String limit, @Nullable BudgetPeriod period, String warnBelow) {
		BudgetTerms terms = terms(limit, period, warnBelow, 100);
		BudgetStore memory = BudgetStore.open(SharedBudget.of("same", "calls", terms, 1_000, LONG_LEASE),
				LimitStores.byCalendar(() -> this.now));
		BudgetStore one = open(SharedBudget.of("same", "calls", terms, 1_000, LONG_LEASE), true);
		BudgetStore two = open(SharedBudget.of("same", "calls", terms, 1_000, LONG_LEASE), true);
		Random random = new Random(seed);
		List<BudgetStore.Place> places = new ArrayList<>();
		List<BudgetStore.Place> expected = new ArrayList<>();
		int settled = 0;
		for (int i = 0; i < 400; i++) {
			BudgetStore store = (random.nextBoolean()) ? one : two;
			pass(jump(random));
			String key = "k" + random.nextInt(2);
			BigDecimal amount = terms.limit().multiply(BigDecimal.valueOf(random.nextInt(60), 2)).stripTrailingZeros();
			amount = (amount.scale() > 38) ? new BigDecimal(terms.limit().unscaledValue(), 38) : amount;
			assertSame(store.look(key, amount), memory.look(key, amount));
			switch (random.nextInt(6)) {
				case 0, 1 -> {
					BudgetStore.Answer answer = store.reserve(key, amount);
					BudgetStore.Answer right = memory.reserve(key, amount);
					assertSame(answer, right);
					if (answer instanceof BudgetStore.Enough enough && right instanceof BudgetStore.Enough same) {
						places.add(Objects.requireNonNull(enough.place()));
						expected.add(Objects.requireNonNull(same.place()));
					}
				}
				case 2 -> {
					BudgetStore.Answer answer = store.take(key, amount);
					BudgetStore.Answer right = memory.take(key, amount);
					assertSame(answer, right);
					if (answer instanceof BudgetStore.Enough enough && right instanceof BudgetStore.Enough same) {
						boolean counts = random.nextInt(3) > 0;
						store.settle(Objects.requireNonNull(enough.place()), counts);
						memory.settle(Objects.requireNonNull(same.place()), counts);
					}
				}
				case 3 -> {
					if (places.isEmpty()) {
						assertThat(store.add(key, amount)).isTrue();
						assertThat(memory.add(key, amount)).isTrue();
					}
				}
				case 4 -> {
					// While something is reserved, only this is asked of one key.
					if (places.isEmpty()) {
						assertSame(store.check(key), memory.check(key));
					}
				}
				default -> {
					while (!places.isEmpty()) {
						int ended = random.nextInt(places.size());
						boolean counts = random.nextBoolean();
						BudgetStore.Place place = places.remove(ended);
						BudgetStore.Place same = expected.remove(ended);
						for (boolean says : new boolean[] { counts, !counts }) {
							store.settle(place, says);
							memory.settle(same, says);
						}
						settled++;
					}
				}
			}
		}
		assertThat(settled).isGreaterThan(10);
	}

	private static Duration jump(Random random) {
		return switch (random.nextInt(12)) {
			case 0 -> Duration.ofHours(random.nextInt(30));
			case 1 -> Duration.ofMinutes(60);
			default -> Duration.ofSeconds(random.nextInt(300));
		};
	}

	private static void assertSame(BudgetStore.Answer answer, BudgetStore.Answer right) {
		assertThat(answer).hasSameClassAs(right);
		if (answer instanceof BudgetStore.UsedUp is && right instanceof BudgetStore.UsedUp expected) {
			assertThat(is.left()).isEqualByComparingTo(expected.left());
			assertThat(is.newIn()).isEqualTo(expected.newIn());
			assertThat(is.running()).isEqualTo(expected.running());
		}
		if (answer instanceof BudgetStore.Enough is && right instanceof BudgetStore.Enough expected) {
			assertThat(is.first()).isEqualTo(expected.first());
			assertThat(is.warns()).isEqualTo(expected.warns());
			assertThat(is.left()).isEqualByComparingTo(expected.left());
		}
	}

	@Test
	void nodesOfOneHookHaveOneBudgetAndOtherHooksTheirOwn() {
		BudgetStore one = open(budget("a", "10", null), true);
		BudgetStore two = open(budget("a", "10", null), true);
		assertThat(take(one, "k", "6")).isTrue();
		assertThat(take(two, "k", "5")).isFalse();
		assertThat(take(two, "k", "4")).isTrue();
		assertThat(take(one, "k", "0.01")).isFalse();
		assertThat(take(one, "other", "10")).isTrue();
		assertThat(take(open(budget("b", "10", null), true), "k", "10")).isTrue();
	}

	@Test
	void limitThatIsRaisedKeepsWhatWasUsedUp() {
		assertThat(take(open(budget("a", "10", BudgetPeriod.DAY), true), "k", "9")).isTrue();
		assertThat(left(open(budget("a", "15", BudgetPeriod.DAY), true), "k")).isEqualByComparingTo("6");
		assertThat(left(open(budget("a", "5", BudgetPeriod.DAY), true), "k")).isEqualByComparingTo("0");
		assertThat(left(open(budget("a", "10", BudgetPeriod.MONTH), true), "k")).isEqualByComparingTo("10");
	}

	@Test
	void amountOfANodeThatIsGoneCountsWhenItsLeaseEnds() {
		BudgetStore killed = open(budget("lease", "10", null), true);
		BudgetStore.Place place = reserve(killed, "k", "7");
		BudgetStore other = open(budget("lease", "10", null), true);
		pass(SharedLimits.LEASE.minusNanos(1_000));
		assertThat(other.reserve("k", new BigDecimal("5"))).isInstanceOfSatisfying(BudgetStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.running()).isTrue());
		pass(Duration.ofNanos(1_000));
		assertThat(other.reserve("k", new BigDecimal("5"))).isInstanceOfSatisfying(BudgetStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.running()).isFalse());
		// Too late to give it back.
		killed.settle(place, false);
		assertThat(left(other, "k")).isEqualByComparingTo("3");
	}

	@Test
	void amountIsGivenBackOnce() {
		BudgetStore store = open(budget("once", "10", BudgetPeriod.DAY), true);
		BudgetStore.Place reserved = reserve(store, "k", "3");
		reserve(store, "k", "3");
		BudgetStore.Place taken = Objects
			.requireNonNull(((BudgetStore.Enough) store.take("k", new BigDecimal("3"))).place());
		assertThat(left(store, "k")).isEqualByComparingTo("1");
		for (int i = 0; i < 3; i++) {
			store.settle(reserved, false);
			store.settle(taken, false);
			assertThat(left(store, "k")).isEqualByComparingTo("7");
		}
	}

	@Test
	void callOfYesterdayGivesNothingBackToToday() {
		BudgetStore store = open(budget("days", "10", BudgetPeriod.DAY), true);
		BudgetStore.Place taken = Objects
			.requireNonNull(((BudgetStore.Enough) store.take("k", new BigDecimal("5"))).place());
		BudgetStore.Place reserved = reserve(store, "k", "5");
		// Midnight in Berlin.
		pass(Duration.between(this.now, Instant.parse("2025-03-29T22:59:59.999999Z")));
		assertThat(take(store, "k", "1")).isFalse();
		pass(Duration.ofNanos(1_000));
		assertThat(take(store, "k", "10")).isTrue();
		store.settle(taken, false);
		store.settle(reserved, false);
		assertThat(left(store, "k")).isEqualByComparingTo("0");
		// The clock goes forward in that night, so this day has 23 hours.
		assertThat(store.look("k", BigDecimal.ONE)).isInstanceOfSatisfying(BudgetStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.newIn()).isEqualTo(Duration.ofHours(23)));
	}

	@Test
	void clockThatIsSetBackOpensNoBudget() {
		BudgetStore store = open(budget("back", "10", BudgetPeriod.DAY), true);
		assertThat(take(store, "k", "10")).isTrue();
		pass(Duration.ofDays(-2));
		assertThat(take(store, "k", "1")).isFalse();
	}

	@Test
	void newKeysMakeNoPlaceAmongThoseThatAreUsedUp() {
		BudgetStore store = open(SharedBudget.of("full", "calls", terms("1", null, "-1", 2), 1_000, SharedLimits.LEASE),
				true);
		assertThat(take(store, "a", "1")).isTrue();
		assertThat(take(store, "b", "1")).isTrue();
		for (int i = 0; i < 10; i++) {
			pass(Duration.ofSeconds(1));
			assertThat(store.reserve("new" + i, BigDecimal.ONE)).isInstanceOf(BudgetStore.Full.class);
			assertThat(store.look("new" + i, BigDecimal.ONE)).isInstanceOf(BudgetStore.Full.class);
			assertThat(store.check("new" + i)).isInstanceOf(BudgetStore.Full.class);
			assertThat(store.add("new" + i, BigDecimal.ONE)).isFalse();
		}
		assertThat(take(store, "a", "1")).isFalse();
		pass(Duration.ofHours(1));
		assertThat(take(store, "new", "1")).isTrue();
	}

	@Test
	void amountsAreAddedExactlyFromTheSmallestToTheLargest() {
		BudgetStore store = open(budget("exact", "1000000000000000", null), true);
		String smallest = "0." + "0".repeat(37) + "1";
		assertThat(take(store, "k", "999999999999999." + "9".repeat(38))).isTrue();
		assertThat(left(store, "k")).isEqualByComparingTo(smallest);
		assertThat(take(store, "k", "0." + "0".repeat(37) + "2")).isFalse();
		assertThat(take(store, "k", smallest)).isTrue();
		assertThat(left(store, "k")).isEqualByComparingTo("0");
		assertThat(take(store, "k", "1E+38")).isFalse();
		BudgetStore cents = open(budget("cents", "0.3", null), true);
		assertThat(List.of(take(cents, "k", "0.1"), take(cents, "k", "0.1"), take(cents, "k", "0.1")))
			.containsOnly(true);
		assertThat(take(cents, "k", smallest)).isFalse();
	}

	@Test
	void whatIsAddedIsBounded() {
		BudgetStore store = open(budget("bounded", "1000000000000000", null), true);
		for (int i = 0; i < 20; i++) {
			assertThat(store.add("k", new BigDecimal("1E+38"))).isTrue();
			assertThat(store.add("k", new BigDecimal("1E-44"))).isTrue();
		}
		assertThat(store.check("k")).isInstanceOf(BudgetStore.UsedUp.class);
		assertThat(left(store, "k")).isEqualByComparingTo("0");
	}

	@Test
	void timeIsThatOfTheStore() {
		BudgetStore store = open(budget("clock", "10", BudgetPeriod.DAY), false);
		assertThat(take(store, "k", "10")).isTrue();
		assertThat(store.reserve("k", BigDecimal.ONE)).isInstanceOfSatisfying(BudgetStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.newIn()).isBetween(Duration.ZERO, Duration.ofHours(25)));
	}

	@Test
	void exactlySoMuchIsUsedUpByManyThreads() throws Exception {
		BudgetStore one = open(budget("hot", "40", BudgetPeriod.YEAR), true);
		BudgetStore two = open(budget("hot", "40", BudgetPeriod.YEAR), true);
		ExecutorService threads = Executors.newFixedThreadPool(16);
		try {
			List<Callable<Integer>> callers = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				BudgetStore node = (i % 2 == 0) ? one : two;
				callers.add((i % 3 == 0) ? () -> (take(node, "a", "0.5")) ? 1 : 0 : () -> reserved(node));
			}
			int passed = 0;
			for (Future<Integer> caller : threads.invokeAll(callers)) {
				passed += caller.get();
			}
			assertThat(passed).isEqualTo(80);
			assertThat(left(one, "a")).isEqualByComparingTo("0");
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static int reserved(BudgetStore store) {
		if (!(store.reserve("a", new BigDecimal("0.5")) instanceof BudgetStore.Enough enough)) {
			return 0;
		}
		store.settle(Objects.requireNonNull(enough.place()), true);
		return 1;
	}

}
