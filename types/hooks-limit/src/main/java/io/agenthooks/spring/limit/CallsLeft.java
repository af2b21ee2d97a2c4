package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.outcome.LimitLeft;

/**
 * The least that any call of the last one to two minutes left to its key: to ask all keys
 * would take as long as there are keys. It is told only if anybody listens.
 */
class CallsLeft {

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private final String store;

	private final LongSupplier nanos;

	/** Guarded by this, as what follows. */
	private long start;

	private double least = Double.NaN;

	private double leastBefore = Double.NaN;

	private volatile @Nullable Consumer<LimitLeft> listener;

	CallsLeft(LimitConfig.Store store) {
		this(store, System::nanoTime);
	}

	CallsLeft(LimitConfig.Store store, LongSupplier nanos) {
		this.store = store.text();
		this.nanos = nanos;
		this.start = nanos.getAsLong();
	}

	String store() {
		return this.store;
	}

	void tell(Consumer<LimitLeft> listener) {
		this.listener = listener;
	}

	void add(LimitStore.Answer answer) {
		if (answer instanceof LimitStore.Enough enough) {
			add(enough.left(), enough.newIn());
		}
		else if (answer instanceof LimitStore.UsedUp usedUp) {
			add(0, usedUp.freeIn());
		}
	}

	/**
	 * Zero or more, or below zero if that is not known.
	 * @param newIn the time until the limit is new, or {@code null}
	 */
	void add(long remaining, @Nullable Duration newIn) {
		if (remaining >= 0) {
			note((double) remaining);
			if (isHeard()) {
				tell(BigDecimal.valueOf(remaining), (newIn != null) ? Instant.now().plus(newIn) : null);
			}
		}
	}

	boolean isHeard() {
		return this.listener != null;
	}

	void tell(BigDecimal remaining, @Nullable Instant reset) {
		Consumer<LimitLeft> heard = this.listener;
		if (heard != null) {
			heard.accept(new LimitLeft(remaining, reset));
		}
	}

	synchronized void note(double remaining) {
		advance();
		this.least = min(this.least, remaining);
	}

	/** {@code NaN} if no call was made lately. */
	synchronized double least() {
		advance();
		return min(this.least, this.leastBefore);
	}

	private void advance() {
		long minutes = (this.nanos.getAsLong() - this.start) / MINUTE;
		if (minutes > 0) {
			this.start += minutes * MINUTE;
			this.leastBefore = (minutes == 1) ? this.least : Double.NaN;
			this.least = Double.NaN;
		}
	}

	private static double min(double one, double other) {
		if (Double.isNaN(one)) {
			return other;
		}
		return (other < one) ? other : one;
	}

}
