package io.agenthooks.spring.webhook;

import java.util.List;
import java.util.function.Supplier;

import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;

/**
 * Makes what asks HTTP endpoints, for webhooks of every kind.
 */
final class WebhookEndpoints {

	/** The type of hooks that ask an endpoint. */
	static final String TYPE = "webhook";

	private final Supplier<WebClient.Builder> clients;

	private final List<WebhookClientCustomizer> customizers;

	/**
	 * Create endpoints.
	 * @param clients gives a new builder for the client of each webhook
	 * @param customizers change each of these builders, in order
	 */
	WebhookEndpoints(Supplier<WebClient.Builder> clients, List<WebhookClientCustomizer> customizers) {
		this.clients = clients;
		this.customizers = List.copyOf(customizers);
	}

	/**
	 * A factory of webhooks around tool calls.
	 * @return the factory
	 */
	ToolHookFactory<WebhookConfig> toolHooks() {
		return ToolHookFactory.of(TYPE, WebhookConfig.class, (name, config) -> toolHook(open(name, config), config),
				(name, config) -> new WebhookPostToolHook(openToTell(name, config)));
	}

	private static WebhookToolHook toolHook(WebhookEndpoint endpoint, WebhookConfig config) {
		return (Boolean.FALSE.equals(config.notifications())) ? new WebhookToolHook(endpoint)
				: new WebhookNotifyingToolHook(endpoint);
	}

	/**
	 * A factory of webhooks around model calls.
	 * @return the factory
	 */
	LlmHookFactory<WebhookConfig> llmHooks() {
		return LlmHookFactory.of(TYPE, WebhookConfig.class, (name, config) -> new WebhookLlmHook(open(name, config)),
				(name, config) -> new WebhookPostLlmHook(openToTell(name, config)));
	}

	/**
	 * A factory of webhooks around runs of agents.
	 * @return the factory
	 */
	RunHookFactory<WebhookConfig> runHooks() {
		return RunHookFactory.of(TYPE, WebhookConfig.class, (name, config) -> new WebhookRunHook(open(name, config)),
				(name, config) -> new WebhookPostRunHook(openToTell(name, config)));
	}

	WebhookEndpoint open(String name, WebhookConfig config) {
		WebhookSettings settings = WebhookSettings.of(config);
		return new WebhookEndpoint(name, settings,
				new WebhookClient(name, settings, this.clients.get(), this.customizers));
	}

	private WebhookEndpoint openToTell(String name, WebhookConfig config) {
		if (Boolean.FALSE.equals(config.notifications())) {
			throw new InvalidHookConfigException(List
				.of(new Problem(List.of("notify"), "is false, so the endpoint would learn nothing", "Remove it.")));
		}
		return open(name, config);
	}

}
