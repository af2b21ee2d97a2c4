package io.agenthooks.spring.webhook;

import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.util.ClassUtils;

interface WebhookConnections {

	ClientHttpConnector connector();

	void close();

	static Maker ofClassPath(@Nullable ClassLoader classLoader) {
		return (ClassUtils.isPresent("reactor.netty.http.client.HttpClient", classLoader)
				&& ClassUtils.isPresent("io.netty.resolver.dns.DnsAddressResolverGroup", classLoader))
						? NettyConnections::new : (name, settings) -> new JdkConnections(settings);
	}

	@FunctionalInterface
	interface Maker {

		// Opens none yet, but is ready to.
		WebhookConnections make(String name, WebhookSettings settings);

	}

}
