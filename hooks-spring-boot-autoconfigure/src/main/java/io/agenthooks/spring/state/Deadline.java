package io.agenthooks.spring.state;

import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The latest end of work of this thread that asks a store several times. What asks the
 * store waits no longer than that.
 *
 * @since 0.1.0
 */
public final class Deadline {

	private static final ThreadLocal<@Nullable Long> ofThread = new ThreadLocal<>();

	private Deadline() {
	}

	/**
	 * Do work that ends in time, also in that of work around it.
	 * @param <T> what comes of it
	 * @param time how long it takes at most
	 * @param work the work
	 * @return what came of it
	 */
	public static <T> T within(Duration time, Supplier<T> work) {
		Long around = ofThread.get();
		ofThread.set(of(time));
		try {
			return work.get();
		}
		finally {
			if (around != null) {
				ofThread.set(around);
			}
			else {
				ofThread.remove();
			}
		}
	}

	/**
	 * The end of something that begins now.
	 * @param time how long it takes at most
	 * @return a time of {@link System#nanoTime()}
	 */
	public static long of(Duration time) {
		long own = System.nanoTime() + time.toNanos();
		Long around = ofThread.get();
		return (around != null && around - own < 0) ? around : own;
	}

	/**
	 * Whether the work ends before something that begins now.
	 * @param time how long that takes at most
	 * @return whether it does
	 */
	public static boolean isBefore(Duration time) {
		Long end = ofThread.get();
		return end != null && end - System.nanoTime() < time.toNanos();
	}

	/**
	 * Whether the time of the work is over. Without a deadline it never is.
	 * @return whether it is
	 */
	public static boolean isOver() {
		return isBefore(Duration.ofNanos(1));
	}

}
