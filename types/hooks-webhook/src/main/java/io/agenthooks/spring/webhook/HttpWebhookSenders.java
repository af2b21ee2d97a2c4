package io.agenthooks.spring.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.spring.external.WebhookSender;
import io.agenthooks.spring.external.WebhookSenders;
import io.agenthooks.spring.external.WebhookTarget;

/** Opens senders that post with a client of their own. */
final class HttpWebhookSenders implements WebhookSenders {

	private final Supplier<WebClient.Builder> clients;

	private final List<WebhookClientCustomizer> customizers;

	private final WebhookConnections.Maker connections;

	HttpWebhookSenders(Supplier<WebClient.Builder> clients, List<WebhookClientCustomizer> customizers,
			WebhookConnections.Maker connections) {
		this.connections = connections;
		this.clients = clients;
		this.customizers = List.copyOf(customizers);
	}

	@Override
	public WebhookSender open(String name, String label, WebhookTarget target) {
		List<WebhookClientCustomizer> all = new ArrayList<>();
		all.add((hook, builder) -> target.headers().forEach(builder::defaultHeader));
		all.addAll(this.customizers);
		WebhookSettings settings = WebhookSettings.of(target);
		return new HttpWebhookSender(name, label, settings,
				new WebhookClient(name, settings, this.connections.make(name, settings), this.clients.get(), all));
	}

}
