package io.agenthooks.spring.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * Creates senders for webhooks that are not hooks, such as those of approvals.
 *
 * @since 0.1.0
 */
public final class WebhookSenders {

	private final Supplier<WebClient.Builder> clients;

	private final List<WebhookClientCustomizer> customizers;

	WebhookSenders(Supplier<WebClient.Builder> clients, List<WebhookClientCustomizer> customizers) {
		this.clients = clients;
		this.customizers = List.copyOf(customizers);
	}

	/**
	 * Create the sender of an endpoint.
	 * @param name the name of the sender, in threads and for
	 * {@link WebhookClientCustomizer}
	 * @param label what warnings call it, such as the place in the configuration
	 * @param target the endpoint
	 * @return the sender, which has to be closed
	 */
	public WebhookSender open(String name, String label, WebhookTarget target) {
		List<WebhookClientCustomizer> all = new ArrayList<>();
		all.add((hook, builder) -> target.headers().forEach(builder::defaultHeader));
		all.addAll(this.customizers);
		return new WebhookSender(name, label, target.settings(),
				new WebhookClient(name, target.settings(), this.clients.get(), all));
	}

}
