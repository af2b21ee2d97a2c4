package io.agenthooks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;

/**
 * Keeps an outage from flooding the log: one warning per {@link #INTERVAL}, which says
 * how many were left out before it. Those are logged at DEBUG.
 *
 * @since 0.1.0
 */
public final class WarningThrottle {

	/** The time of quiet after a warning. */
	public static final Duration INTERVAL = Duration.ofSeconds(10);

	private final Logger logger;

	private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

	private final AtomicLong leftOut = new AtomicLong();

	/**
	 * Create a throttle.
	 * @param logger where warnings go
	 */
	public WarningThrottle(Logger logger) {
		this.logger = logger;
	}

	/**
	 * Log a warning, unless there was one a moment ago.
	 * @param warning the warning, without arguments or secrets of a call
	 */
	public void warn(String warning) {
		long now = System.nanoTime();
		long until = this.quietUntil.get();
		if (now - until < 0 || !this.quietUntil.compareAndSet(until, now + INTERVAL.toNanos())) {
			this.leftOut.incrementAndGet();
			this.logger.debug(warning);
			return;
		}
		long count = this.leftOut.getAndSet(0);
		if (count > 0) {
			this.logger.warn("{} ({} more warnings like this since the last one)", warning, count);
		}
		else {
			this.logger.warn(warning);
		}
	}

}
