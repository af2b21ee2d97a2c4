package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.List;

import io.agenthooks.spring.external.WebhookSender;

/**
 * Sends notifications on a thread of its own. What does not fit in its queue is dropped,
 * an outage is tried again twice.
 */
final class HttpWebhookSender implements WebhookSender {

	/** How long an outage is waited for, each time. */
	static final List<Duration> PAUSES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(5));

	/** How long closing may take for the sake of messages that wait. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final WebhookClient client;

	private final WebhookNotifier notifier;

	HttpWebhookSender(String name, String label, WebhookSettings settings, WebhookClient client) {
		this.client = client;
		this.notifier = new WebhookNotifier(name, label, client, settings.timeout(), PAUSES);
	}

	@Override
	public void send(byte[] json) {
		this.notifier.enqueue(json);
	}

	@Override
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
