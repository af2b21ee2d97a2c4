package io.agenthooks.spring.webhook;

import java.time.Duration;

import io.agenthooks.spring.QueueingToolHook;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * A webhook that also tells the endpoint how calls ended.
 */
final class NotifyingWebhookToolHook extends WebhookToolHook implements QueueingToolHook {

	/** How long closing may take for the sake of notifications that wait. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final WebhookNotifier notifier;

	NotifyingWebhookToolHook(String name, WebhookSettings settings, WebhookClient client) {
		super(name, settings, client);
		this.notifier = new WebhookNotifier(name, client, settings.timeout());
	}

	/**
	 * Enqueue the notification as it is sent: a result may be changed by its owner once
	 * the call is over.
	 */
	@Override
	public void postCall(ToolOutcome outcome) {
		try {
			this.notifier.enqueue(WebhookMessage.postCall(outcome));
		}
		catch (RuntimeException ex) {
			this.notifier.drop("it cannot be written as JSON (" + ex.getClass().getSimpleName() + ")");
		}
	}

	@Override
	public long droppedNotifications() {
		return this.notifier.dropped();
	}

	@Override
	public void close() {
		denyAll();
		this.notifier.close(GRACE);
		super.close();
	}

}
