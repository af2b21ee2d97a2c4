package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.List;

import io.agenthooks.spring.HookCounts;

/**
 * Sends notifications to one endpoint, in order, on a thread of its own. Nobody waits for
 * it: what does not fit in its queue is dropped, an outage is tried again twice, and both
 * is counted and warned of.
 *
 * @since 0.1.0
 */
public final class WebhookSender implements HookCounts, AutoCloseable {

	/** How long an outage is waited for, each time. */
	static final List<Duration> PAUSES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(5));

	/** How long closing may take for the sake of messages that wait. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final WebhookClient client;

	private final WebhookNotifier notifier;

	WebhookSender(String name, String label, WebhookSettings settings, WebhookClient client) {
		this.client = client;
		this.notifier = new WebhookNotifier(name, label, client, settings.timeout(), PAUSES);
	}

	/**
	 * Send a message when its turn comes.
	 * @param json the message
	 */
	public void send(byte[] json) {
		this.notifier.enqueue(json);
	}

	/**
	 * Say that a message could not be made.
	 * @param reason why, without what it was to say
	 */
	public void drop(String reason) {
		this.notifier.drop(reason);
	}

	@Override
	public long droppedNotifications() {
		return this.notifier.dropped();
	}

	@Override
	public long failedNotifications() {
		return this.notifier.failed();
	}

	@Override
	public void close() {
		this.notifier.close(GRACE);
		this.client.close();
	}

}
