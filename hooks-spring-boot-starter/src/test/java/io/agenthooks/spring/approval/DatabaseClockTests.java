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

	private final DatabaseClock clock = new DatabaseClock(() -> {
		this.asked.incrementAndGet();
		return this.database.get();
	}, this.nanoTime::get);

	@Test
	void countsFromTheTimeOfTheDatabaseWithoutAskingEachTime() {
		assertThat(this.clock.instant()).isEqualTo(NOON);
		this.nanoTime.addAndGet(Duration.ofSeconds(9).toNanos());
		assertThat(this.clock.instant()).isEqualTo(NOON.plusSeconds(9));
		assertThat(this.asked).hasValue(1);
	}

	@Test
	void asksTheDatabaseAgainWhenItsAnswerIsOld() {
		assertThat(this.clock.instant()).isEqualTo(NOON);
		this.nanoTime.addAndGet(DatabaseClock.INTERVAL.toNanos());
		this.database.set(NOON.plusSeconds(60));
		assertThat(this.clock.instant()).isEqualTo(NOON.plusSeconds(60));
		assertThat(this.asked).hasValue(2);
	}

	@Test
	void hasNoTimeWhileTheDatabaseIsAway() {
		DatabaseClock away = new DatabaseClock(() -> {
			throw new IllegalStateException("away");
		}, this.nanoTime::get);
		assertThatIllegalStateException().isThrownBy(away::instant);
	}

	@Test
	void knowsNoTimeZone() {
		assertThat(this.clock.getZone()).isEqualTo(ZoneOffset.UTC);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.clock.withZone(ZoneOffset.MAX));
	}

}
