package io.agenthooks.spring.webhook;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * Changes the client of webhooks, for instance to add a header or an exchange filter.
 * Every bean of this type is asked, in order, about every webhook.
 * <p>
 * A customizer that sets another {@code clientConnector}, for a proxy or a client
 * certificate, takes over what the connector of the starter takes care of: a pool of
 * connections for this webhook alone, no redirects, no cookies and a limited time to
 * connect. The limits of time and size of the whole exchange hold with any connector.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WebhookClientCustomizer {

	/**
	 * Change the client of a webhook.
	 * @param hook the name of the hook
	 * @param builder builds its client
	 */
	void customize(String hook, WebClient.Builder builder);

}
