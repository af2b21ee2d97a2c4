package io.agenthooks.spring.alert;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * In order, on a thread of its own: a listener that takes long holds up other alerts, and
 * no call. What does not fit in the queue is dropped.
 */
final class AlertEvents implements AutoCloseable {

	static final int CAPACITY = 256;

	/** How long closing waits for alerts. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(AlertEvents.class);

	private final ApplicationEventPublisher publisher;

	private final ExecutorService thread = HooksThreads.queue("hooks-alerts", CAPACITY);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	AlertEvents(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	boolean publish(ToolAlert alert) {
		try {
			this.thread.execute(() -> deliver(alert));
			return true;
		}
		catch (RejectedExecutionException ex) {
			this.warnings.warn("The event of an alert of the hook '%s' was dropped: %s".formatted(alert.name(),
					(this.thread.isShutdown()) ? "the application is shutting down" : "too many wait already"));
			return false;
		}
	}

	private void deliver(ToolAlert alert) {
		try {
			this.publisher.publishEvent(alert);
		}
		catch (RuntimeException | Error ex) {
			this.warnings
				.warn("A listener of the alert '%s' failed: %s".formatted(alert.name(), ex.getClass().getName()));
		}
	}

	@Override
	public void close() {
		int waiting = HooksThreads.end(this.thread, GRACE);
		if (waiting > 0) {
			logger.warn("The events of {} alerts that still waited at shutdown were dropped", waiting);
		}
	}

}
