package io.agenthooks.chain;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import io.agenthooks.WarningThrottle;

/**
 * Logs what hooks and their like throw: the first time with a stack trace, after that
 * once a while. What an exception says may quote arguments, so that is left to DEBUG.
 */
final class FailureLog {

	/** Names of hooks may come from outside, and exceptions too. */
	private static final int MAX_KNOWN = 1_000;

	private final Logger logger;

	private final Map<String, WarningThrottle> known = new ConcurrentHashMap<>();

	private final WarningThrottle others;

	FailureLog(Logger logger) {
		this.logger = logger;
		this.others = new WarningThrottle(logger);
	}

	void log(String who, Throwable ex, String consequence) {
		if (ex instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		try {
			String failure = who + " failed with " + ex.getClass().getName();
			WarningThrottle throttle = this.known.get(failure);
			if (throttle == null && this.known.size() < MAX_KNOWN) {
				this.known.put(failure, new WarningThrottle(this.logger));
				this.logger.warn("{}; {}", failure, consequence, WithoutMessage.of(ex, 0));
			}
			else {
				((throttle != null) ? throttle : this.others).warn(failure + "; " + consequence);
			}
			this.logger.debug("{} failed", who, ex);
		}
		catch (Throwable unprintable) {
			// An exception may throw when it is printed, which must not change the
			// consequence.
		}
	}

	/** The failure of the virtual machine itself is thrown on. */
	void logUnlessFatal(String who, Throwable ex, String consequence) {
		if (Failures.isFatal(ex)) {
			throw Failures.rethrow(ex);
		}
		log(who, ex, consequence);
	}

	private static final class WithoutMessage extends Throwable {

		/** Exceptions may be the causes of each other. */
		private static final int MAX_CAUSES = 16;

		private WithoutMessage(Throwable ex, @Nullable WithoutMessage cause) {
			super(ex.getClass().getName(), cause, false, true);
			setStackTrace(ex.getStackTrace());
		}

		static @Nullable WithoutMessage of(@Nullable Throwable ex, int depth) {
			return (ex == null || depth == MAX_CAUSES) ? null : new WithoutMessage(ex, of(ex.getCause(), depth + 1));
		}

	}

}
