package io.agenthooks.spring.webhook;

import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.util.ClassUtils;

/**
 * The connections of one webhook, by the HTTP client of the JDK, or by Reactor Netty
 * where the application has it.
 */
interface WebhookConnections {

	/**
	 * Return the opener of connections for a client.
	 */
	ClientHttpConnector connector();

	/**
	 * Let go of the connections.
	 */
	void close();

	/**
	 * Choose by what is on the class path.
	 */
	static Maker ofClassPath(@Nullable ClassLoader classLoader) {
		return (ClassUtils.isPresent("reactor.netty.http.client.HttpClient", classLoader)
				&& ClassUtils.isPresent("io.netty.resolver.dns.DnsAddressResolverGroup", classLoader))
						? NettyConnections::new : (name, settings) -> new JdkConnections(settings);
	}

	/**
	 * Opens connections for a webhook.
	 */
	@FunctionalInterface
	interface Maker {

		/**
		 * Open none yet, but be ready to.
		 * @param name the name of the webhook
		 * @param settings where to, and what bounds it
		 * @return the connections
		 */
		WebhookConnections make(String name, WebhookSettings settings);

	}

}
