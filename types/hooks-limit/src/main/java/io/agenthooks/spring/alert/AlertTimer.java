package io.agenthooks.spring.alert;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * On one thread for all alerts. What is still to be done when the application ends is not
 * done.
 */
final class AlertTimer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(AlertTimer.class);

	private final ScheduledThreadPoolExecutor thread = HooksThreads.timer("hooks-alerts-timer");

	private final WarningThrottle warnings = new WarningThrottle(logger);

	void later(Runnable work, Duration wait) {
		try {
			Future<?> unused = this.thread.schedule(() -> run(work), wait.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application is shutting down");
		}
	}

	private void run(Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException ex) {
			this.warnings.warn("Silenced alerts could not be reported: " + ex.getClass().getName());
		}
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}
