package io.agenthooks.spring.approval;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The time of the database, which is the same for all nodes: one whose own clock is wrong
 * must not end the questions of others. The database is asked now and then; between that,
 * time is counted by a clock that nobody sets.
 */
final class DatabaseClock extends Clock {

	static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final Duration DRIFT = Duration.ofSeconds(1);

	private final Supplier<Instant> database;

	private final LongSupplier nanoTime;

	private final LongSupplier millis;

	private volatile @Nullable Asked last;

	DatabaseClock(Supplier<Instant> database) {
		this(database, System::nanoTime, System::currentTimeMillis);
	}

	/**
	 * One clock is set by nobody, and may stand still while the machine sleeps; the clock
	 * of the machine tells that it slept.
	 */
	DatabaseClock(Supplier<Instant> database, LongSupplier nanoTime, LongSupplier millis) {
		this.database = database;
		this.nanoTime = nanoTime;
		this.millis = millis;
	}

	@Override
	public Instant instant() {
		long now = this.nanoTime.getAsLong();
		Asked last = this.last;
		if (last == null || now - last.nanos() >= INTERVAL.toNanos() || hasSlept(last, now)) {
			last = new Asked(this.database.get(), this.nanoTime.getAsLong(), this.millis.getAsLong());
			this.last = last;
			return last.time();
		}
		return last.time().plusNanos(now - last.nanos());
	}

	/**
	 * Whether the clock of the machine has gone another way: the machine slept, or
	 * somebody set it, and then to ask is cheap.
	 */
	private boolean hasSlept(Asked last, long now) {
		long counted = Duration.ofNanos(now - last.nanos()).toMillis();
		return Math.abs(this.millis.getAsLong() - last.millis() - counted) > DRIFT.toMillis();
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("Questions have no time zone");
	}

	/** The answer of the database, with the times when it came by either clock. */
	private record Asked(Instant time, long nanos, long millis) {
	}

}
