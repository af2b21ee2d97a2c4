package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BudgetStore} in memory, with a clock of their own.
 */
class BudgetAccountsTests {

	private static final BigDecimal LIMIT = new BigDecimal("100.5");

	private @Nullable MemoryState<?> kept;

	private Instant now = Instant.parse("2026-03-10T12:00:00Z");

	/**
	 * Whatever order calls begin and end in, and however the clock jumps: no day counts
	 * more than the limit, and all that was given back can be used.
	 */
	@RepeatedTest(20)
	void neverMoreThanTheLimitInADayAndGivenBackOnce(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		ZoneId zone = ZoneId.of("Europe/Berlin");
		BudgetStore accounts = accounts(BudgetPeriod.DAY, zone, 10);
		Map<String, BigDecimal> counted = new HashMap<>();
		Map<String, BigDecimal> held = new HashMap<>();
		List<Open> open = new ArrayList<>();
		for (int step = 0; step < 2_000; step++) {
			String day = LocalDate.ofInstant(this.now, zone) + " " + random.nextInt(3);
			switch (random.nextInt(4)) {
				case 0 -> {
					this.now = this.now.plus(Duration.ofMinutes(random.nextInt(60)));
				}
				case 1, 2 -> {
					BigDecimal amount = BigDecimal.valueOf(random.nextInt(4_000), 2);
					BigDecimal before = sum(counted, day).add(sum(held, day));
					boolean fits = before.add(amount).compareTo(LIMIT) <= 0;
					BudgetStore.Answer answer = accounts.reserve(day.substring(11), amount);
					assertThat(answer instanceof BudgetStore.Enough).isEqualTo(fits);
					if (answer instanceof BudgetStore.Enough enough && enough.place() != null) {
						held.merge(day, amount, BigDecimal::add);
						open.add(new Open(day, amount, enough.place()));
					}
				}
				default -> {
					if (!open.isEmpty()) {
						Open ended = open.remove(random.nextInt(open.size()));
						boolean counts = random.nextBoolean();
						accounts.settle(ended.place(), counts);
						accounts.settle(ended.place(), !counts);
						held.merge(ended.day(), ended.amount().negate(), BigDecimal::add);
						if (counts) {
							counted.merge(ended.day(), ended.amount(), BigDecimal::add);
						}
					}
				}
			}
			assertThat(counted.values()).allMatch((sum) -> sum.compareTo(LIMIT) <= 0);
		}
		assertThat(counted).hasSizeGreaterThan(5);
	}

	private static BigDecimal sum(Map<String, BigDecimal> sums, String day) {
		return sums.getOrDefault(day, BigDecimal.ZERO);
	}

	@ParameterizedTest
	@CsvSource({ "DAY, 2026-03-11T22:59:59Z, 2026-03-11T23:00:00Z", "WEEK, 2026-03-15T22:59:59Z, 2026-03-15T23:00:00Z",
			"MONTH, 2026-03-31T21:59:59Z, 2026-03-31T22:00:00Z", "YEAR, 2026-12-31T22:59:59Z, 2026-12-31T23:00:00Z" })
	void budgetIsNewWhenItsTimeBeginsInItsZone(BudgetPeriod period, Instant last, Instant next) {
		this.now = Instant.parse("2026-03-11T00:00:00Z");
		BudgetStore accounts = accounts(period, ZoneId.of("Europe/Berlin"), 10);
		assertThat(reserve(accounts, "a")).isTrue();
		this.now = last;
		assertThat(accounts.reserve("a", LIMIT)).isInstanceOfSatisfying(BudgetStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.newIn()).isEqualTo(Duration.ofSeconds(1)));
		this.now = next;
		assertThat(reserve(accounts, "a")).isTrue();
		assertThat(reserve(accounts, "a")).isFalse();
	}

	@Test
	void clockThatIsSetBackOpensNoBudget() {
		BudgetStore accounts = accounts(BudgetPeriod.DAY, ZoneId.of("UTC"), 10);
		assertThat(reserve(accounts, "a")).isTrue();
		this.now = this.now.minus(Duration.ofDays(1));
		assertThat(reserve(accounts, "a")).isFalse();
		this.now = this.now.plus(Duration.ofDays(1));
		assertThat(reserve(accounts, "a")).isFalse();
	}

	@Test
	void callOfYesterdayThatEndsTodayGivesNothingBackToToday() {
		BudgetStore accounts = accounts(BudgetPeriod.DAY, ZoneId.of("UTC"), 10);
		BudgetStore.Enough yesterday = (BudgetStore.Enough) accounts.reserve("a", LIMIT);
		this.now = this.now.plus(Duration.ofDays(1));
		assertThat(reserve(accounts, "a")).isTrue();
		assertThat(yesterday.place()).isNotNull().satisfies((place) -> accounts.settle(place, false));
		assertThat(reserve(accounts, "a")).isFalse();
	}

	@Test
	void noBudgetIsForgottenToMakeRoom() {
		BudgetStore accounts = accounts(null, ZoneId.of("UTC"), 2);
		assertThat(reserve(accounts, "a")).isTrue();
		BudgetStore.Enough open = (BudgetStore.Enough) accounts.reserve("b", BigDecimal.ONE);
		for (int i = 0; i < 100; i++) {
			assertThat(accounts.reserve("c" + i, BigDecimal.ONE)).isInstanceOf(BudgetStore.Full.class);
			assertThat(accounts.look("c" + i, BigDecimal.ONE)).isInstanceOf(BudgetStore.Full.class);
		}
		assertThat(reserve(accounts, "a")).isFalse();
		this.now = this.now.plus(Duration.ofHours(2));
		// That of a has one that runs, as has that of b.
		assertThat(accounts.reserve("c", BigDecimal.ONE)).isInstanceOf(BudgetStore.Full.class);
		assertThat(open.place()).isNotNull().satisfies((place) -> accounts.settle(place, true));
		assertThat(accounts.reserve("c", BigDecimal.ONE)).isInstanceOf(BudgetStore.Full.class);
		this.now = this.now.plus(Duration.ofHours(1));
		assertThat(accounts.look("c", BigDecimal.ONE)).isInstanceOf(BudgetStore.Enough.class);
		assertThat(accounts.reserve("c", BigDecimal.ONE)).isInstanceOf(BudgetStore.Enough.class);
		assertThat(Objects.requireNonNull(this.kept).size()).isEqualTo(2);
		assertThat(reserve(accounts, "a")).isFalse();
	}

	@Test
	void accountsOfDaysThatAreOverMakeRoom() {
		BudgetStore accounts = accounts(BudgetPeriod.DAY, ZoneId.of("UTC"), 3);
		for (int day = 0; day < 5; day++) {
			for (int user = 0; user < 3; user++) {
				assertThat(reserve(accounts, day + "-" + user)).isTrue();
			}
			assertThat(accounts.reserve("other", BigDecimal.ONE)).isInstanceOf(BudgetStore.Full.class);
			this.now = this.now.plus(Duration.ofDays(1));
		}
		assertThat(Objects.requireNonNull(this.kept).size()).isEqualTo(3);
	}

	private boolean reserve(BudgetStore accounts, String key) {
		return accounts.reserve(key, LIMIT) instanceof BudgetStore.Enough;
	}

	private BudgetStore accounts(@Nullable BudgetPeriod period, ZoneId zone, int maxKeys) {
		BudgetTerms terms = new BudgetTerms(LIMIT, "", period, zone, new LimitKey(List.of(), null), OnMissingKey.DENY,
				BigDecimal.ONE.negate(), maxKeys, Duration.ofHours(1));
		this.kept = null;
		return BudgetStore.open(SharedBudget.of("b", "calls", terms, Integer.MAX_VALUE, SharedLimits.ENDLESS),
				new StateStore() {

					@Override
					public <S> KeyedState<S> open(StateTerms<S> terms) {
						KeyedState<S> state = LimitStores.byCalendar(() -> BudgetAccountsTests.this.now).open(terms);
						BudgetAccountsTests.this.kept = (MemoryState<?>) state;
						return state;
					}

				});
	}

	/**
	 * An amount that is reserved.
	 */
	private record Open(String day, BigDecimal amount, BudgetStore.Place place) {
	}

}
