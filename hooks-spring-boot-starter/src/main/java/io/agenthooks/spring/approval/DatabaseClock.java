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

	private final Supplier<Instant> database;

	private final LongSupplier nanoTime;

	private volatile @Nullable Asked last;

	DatabaseClock(Supplier<Instant> database, LongSupplier nanoTime) {
		this.database = database;
		this.nanoTime = nanoTime;
	}

	@Override
	public Instant instant() {
		long now = this.nanoTime.getAsLong();
		Asked last = this.last;
		if (last == null || now - last.nanos() >= INTERVAL.toNanos()) {
			last = new Asked(this.database.get(), this.nanoTime.getAsLong());
			this.last = last;
			return last.time();
		}
		return last.time().plusNanos(now - last.nanos());
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("Questions have no time zone");
	}

	/**
	 * What the database answered.
	 *
	 * @param time its time
	 * @param nanos when that came, by the clock that nobody sets
	 */
	private record Asked(Instant time, long nanos) {
	}

}
