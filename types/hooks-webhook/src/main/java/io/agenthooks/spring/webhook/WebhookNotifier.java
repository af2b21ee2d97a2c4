package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.caller.CarriedContext;
import io.agenthooks.spring.external.RecentOutcomes;
import io.agenthooks.spring.external.WebhookSender;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * On a thread of its own, so that no call waits. What does not fit in the queue is
 * dropped and warned of, as what does not arrive. What a hook sends is not sent twice; of
 * others an outage is tried again.
 */
final class WebhookNotifier implements WebhookSender {

	static final int CAPACITY = 1024;

	/** Waiting. A notification that alone is bigger waits alone. */
	static final int MAX_BYTES = 16 * 1024 * 1024;

	/** Before an outage is tried again. */
	private static final List<Duration> PAUSES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(5));

	/** For closing. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(WebhookNotifier.class);

	private final String label;

	private final WebhookClient client;

	private final Duration timeout;

	private final List<Duration> pauses;

	private final ExecutorService thread;

	private final AtomicInteger queuedBytes = new AtomicInteger();

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong failed = new AtomicLong();

	private final RecentOutcomes recent = new RecentOutcomes();

	private final WarningThrottle warnings = new WarningThrottle(logger);

	WebhookNotifier(String name, WebhookClient client, Duration timeout) {
		this(name, "Hook '%s'".formatted(name), client, timeout, List.of());
	}

	/** For what is no hook's: tries an outage again. */
	static WebhookNotifier patient(String name, String label, WebhookClient client, Duration timeout) {
		return new WebhookNotifier(name, label, client, timeout, PAUSES);
	}

	private WebhookNotifier(String name, String label, WebhookClient client, Duration timeout, List<Duration> pauses) {
		this.label = label;
		this.client = client;
		this.timeout = timeout;
		this.pauses = pauses;
		this.thread = HooksThreads.queue("hooks-" + name + "-notifications", CAPACITY);
	}

	@Override
	public void send(byte[] notification) {
		int queued = this.queuedBytes.addAndGet(notification.length);
		if (queued > MAX_BYTES && queued > notification.length) {
			this.queuedBytes.addAndGet(-notification.length);
			drop("too many notifications wait already");
			return;
		}
		try {
			// Sent later, it belongs to the trace of its call all the same.
			Runnable sending = CarriedContext.carryTask(() -> deliver(notification));
			this.thread.execute(() -> {
				this.queuedBytes.addAndGet(-notification.length);
				sending.run();
			});
		}
		catch (RejectedExecutionException ex) {
			this.queuedBytes.addAndGet(-notification.length);
			drop((this.thread.isShutdown()) ? "the application is shutting down"
					: "too many notifications wait already");
		}
		catch (RuntimeException ex) {
			this.queuedBytes.addAndGet(-notification.length);
			drop("its context cannot be carried to the thread that sends it (" + ex.getClass().getSimpleName() + ")");
		}
	}

	private void deliver(byte[] notification) {
		try {
			post(notification);
			this.recent.answered();
		}
		catch (WebhookException ex) {
			fail(String.valueOf(ex.getMessage()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			drop("the application is shutting down");
		}
		catch (RuntimeException ex) {
			fail("it could not be sent (" + ex.getClass().getSimpleName() + ")");
		}
	}

	private void post(byte[] notification) throws InterruptedException {
		Iterator<Duration> left = this.pauses.iterator();
		while (true) {
			try {
				this.client.await(this.client.postNotification(notification),
						System.nanoTime() + this.timeout.toNanos());
				return;
			}
			catch (WebhookException ex) {
				if (!ex.isOutage() || !left.hasNext() || this.thread.isShutdown()) {
					throw ex;
				}
				TimeUnit.NANOSECONDS.sleep(left.next().toNanos());
			}
		}
	}

	private void fail(String reason) {
		this.recent.failed(reason);
		long count = this.failed.incrementAndGet();
		this.warnings.warn("%s: a notification did not arrive (%d so far): %s".formatted(this.label, count, reason));
	}

	@Override
	public void drop(String reason) {
		long count = this.dropped.incrementAndGet();
		this.warnings.warn("%s: a notification was dropped (%d so far): %s".formatted(this.label, count, reason));
	}

	HookHealth.Report health(boolean failsOpen) {
		return this.recent.report(failsOpen);
	}

	@Override
	public long droppedNotifications() {
		return this.dropped.get();
	}

	@Override
	public long failedNotifications() {
		return this.failed.get();
	}

	@Override
	public void close() {
		close(GRACE);
		this.client.close();
	}

	void close(Duration grace) {
		int unsent = HooksThreads.end(this.thread, grace);
		if (unsent > 0) {
			this.dropped.addAndGet(unsent);
			logger.warn("{}: {} notifications that still waited at shutdown were dropped", this.label, unsent);
		}
	}

}
