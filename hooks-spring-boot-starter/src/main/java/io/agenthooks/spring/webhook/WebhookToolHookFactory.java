package io.agenthooks.spring.webhook;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.ToolHook;

/**
 * Makes the hooks of the type {@code webhook}, which ask an HTTP endpoint about calls and
 * tell it how they ended.
 *
 * @since 0.1.0
 */
public final class WebhookToolHookFactory implements ToolHookFactory<WebhookConfig> {

	private final WebhookEndpoints endpoints;

	/**
	 * Create the factory.
	 * @param endpoints makes what asks the endpoints
	 */
	public WebhookToolHookFactory(WebhookEndpoints endpoints) {
		this.endpoints = endpoints;
	}

	@Override
	public String type() {
		return WebhookEndpoints.TYPE;
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
		WebhookEndpoint endpoint = this.endpoints.open(name, config);
		return (Boolean.FALSE.equals(config.notifications())) ? new WebhookToolHook(endpoint)
				: new NotifyingWebhookToolHook(endpoint);
	}

}
