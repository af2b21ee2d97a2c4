package io.agenthooks.spring.external;

/**
 * Opens senders of notifications for features that are no hooks of an endpoint, such as
 * those of approvals.
 *
 * @since 0.1.0
 */
public interface WebhookSenders {

	/**
	 * Open the sender of an endpoint.
	 * @param name the name of the sender, in threads and for who customizes its client
	 * @param label what warnings call it, such as the place in the configuration
	 * @param target the endpoint
	 * @return the sender, which has to be closed
	 */
	WebhookSender open(String name, String label, WebhookTarget target);

}
