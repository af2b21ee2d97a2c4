package io.agenthooks.spring.webhook;

import java.util.List;
import java.util.function.Supplier;

import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.ToolHook;

/**
 * Makes the hooks of the type {@code webhook}, which ask an HTTP endpoint about calls and
 * tell it how they ended.
 *
 * @since 0.1.0
 */
public final class WebhookToolHookFactory implements ToolHookFactory<WebhookConfig> {

	private final Supplier<WebClient.Builder> clients;

	private final List<WebhookClientCustomizer> customizers;

	/**
	 * Create the factory.
	 * @param clients gives a new builder for the client of each webhook
	 * @param customizers change each of these builders, in order
	 */
	public WebhookToolHookFactory(Supplier<WebClient.Builder> clients, List<WebhookClientCustomizer> customizers) {
		this.clients = clients;
		this.customizers = List.copyOf(customizers);
	}

	@Override
	public String type() {
		return "webhook";
	}

	@Override
	public Class<WebhookConfig> configType() {
		return WebhookConfig.class;
	}

	@Override
	public boolean mayOnlyObserve() {
		return true;
	}

	@Override
	public ToolHook create(String name, WebhookConfig config) {
		WebhookSettings settings = WebhookSettings.of(config);
		WebhookClient client = new WebhookClient(name, settings, this.clients.get(), this.customizers);
		return (settings.notifications()) ? new NotifyingWebhookToolHook(name, settings, client)
				: new WebhookToolHook(name, settings, client);
	}

}
