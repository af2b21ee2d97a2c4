package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The least that any call of the last one to two minutes has left to its key. To ask all
 * keys would take as long as there are keys, so each call says what it has left.
 */
final class LeastLeft {

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	/** Numbers from zero on have the order of their bits, which are less than this. */
	private static final long NONE = Long.MAX_VALUE;

	private final LongSupplier nanos;

	private final long start;

	private volatile Minute minute;

	LeastLeft(LongSupplier nanos) {
		this.nanos = nanos;
		this.start = nanos.getAsLong();
		this.minute = new Minute(0, this.start + MINUTE, new AtomicLong(NONE), NONE);
	}

	/**
	 * Learn what a call has left: what calls of its key have from now on, zero or more.
	 */
	void add(double left) {
		AtomicLong least = at(this.nanos.getAsLong()).least();
		long bits = Double.doubleToRawLongBits(left + 0.0);
		if (bits < least.get()) {
			least.accumulateAndGet(bits, Math::min);
		}
	}

	double value() {
		Minute current = at(this.nanos.getAsLong());
		long least = Math.min(current.least().get(), current.before());
		return (least != NONE) ? Double.longBitsToDouble(least) : Double.NaN;
	}

	private Minute at(long now) {
		Minute known = this.minute;
		return (now - known.end() >= 0) ? begin(now) : known;
	}

	private synchronized Minute begin(long now) {
		Minute known = this.minute;
		if (now - known.end() >= 0) {
			long number = (now - this.start) / MINUTE;
			long before = (known.number() == number - 1) ? known.least().get() : NONE;
			known = new Minute(number, this.start + (number + 1) * MINUTE, new AtomicLong(NONE), before);
			this.minute = known;
		}
		return known;
	}

	/** The least of a minute, which ends at a time in nanoseconds. */
	private record Minute(long number, long end, AtomicLong least, long before) {
	}

}
