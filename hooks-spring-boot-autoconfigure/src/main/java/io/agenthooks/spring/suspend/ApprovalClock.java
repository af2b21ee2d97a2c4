package io.agenthooks.spring.suspend;

import java.time.Instant;

/**
 * The clock of questions to people. A bean of this type takes the place of the system's
 * clocks, so that a test need not wait; it is not for applications.
 *
 * @since 0.1.0
 */
public interface ApprovalClock {

	/**
	 * The time that questions are dated with.
	 * @return the time
	 */
	Instant now();

	/**
	 * A monotonic clock, to measure how long a call has waited.
	 * @return nanoseconds since any moment, as {@link System#nanoTime()}
	 */
	long nanoTime();

}
