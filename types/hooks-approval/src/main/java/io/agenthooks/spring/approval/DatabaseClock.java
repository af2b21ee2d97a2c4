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
 * The time of the database, the same for all nodes: a wrong clock must not end questions
 * of others. It is asked now and then; between that, a clock counts that nobody sets.
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
	 * The first clock may stand still while the machine sleeps; the second tells that it
	 * slept.
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

	private record Asked(Instant time, long nanos, long millis) {
	}

}
