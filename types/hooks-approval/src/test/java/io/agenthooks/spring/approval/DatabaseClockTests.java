package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link DatabaseClock}.
 */
class DatabaseClockTests {

	private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

	private final AtomicReference<Instant> database = new AtomicReference<>(NOON);

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);

	private final AtomicLong millis = new AtomicLong(1_000);

	private final DatabaseClock clock = new DatabaseClock(() -> {
		this.asked.incrementAndGet();
		return this.database.get();
	}, this.nanoTime::get, this.millis::get);

	@Test
	void countsFromTheTimeOfTheDatabaseWithoutAskingEachTime() {
		assertThat(this.clock.instant()).isEqualTo(NOON);
		pass(Duration.ofSeconds(9));
		assertThat(this.clock.instant()).isEqualTo(NOON.plusSeconds(9));
		assertThat(this.asked).hasValue(1);
	}

	@Test
	void asksTheDatabaseAgainWhenItsAnswerIsOld() {
		assertThat(this.clock.instant()).isEqualTo(NOON);
		pass(DatabaseClock.INTERVAL);
		this.database.set(NOON.plusSeconds(60));
		assertThat(this.clock.instant()).isEqualTo(NOON.plusSeconds(60));
		assertThat(this.asked).hasValue(2);
	}

	@Test
	void asksTheDatabaseAgainWhenTheMachineHasSlept() {
		assertThat(this.clock.instant()).isEqualTo(NOON);
		pass(Duration.ofSeconds(1));
		this.millis.addAndGet(Duration.ofHours(8).toMillis());
		this.database.set(NOON.plusSeconds(28_801));
		assertThat(this.clock.instant()).isEqualTo(NOON.plusSeconds(28_801));
		pass(Duration.ofSeconds(1));
		assertThat(this.clock.instant()).isEqualTo(NOON.plusSeconds(28_802));
		assertThat(this.asked).hasValue(2);
	}

	private void pass(Duration time) {
		this.nanoTime.addAndGet(time.toNanos());
		this.millis.addAndGet(time.toMillis());
	}

	@Test
	void hasNoTimeWhileTheDatabaseIsAway() {
		DatabaseClock away = new DatabaseClock(() -> {
			throw new IllegalStateException("away");
		}, this.nanoTime::get, this.millis::get);
		assertThatIllegalStateException().isThrownBy(away::instant);
	}

	@Test
	void knowsNoTimeZone() {
		assertThat(this.clock.getZone()).isEqualTo(ZoneOffset.UTC);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.clock.withZone(ZoneOffset.MAX));
	}

}
