package io.agenthooks.spring.webhook;

import java.net.http.HttpClient;
import java.security.GeneralSecurityException;

import javax.net.ssl.SSLContext;

import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;

/**
 * The JDK's client has threads of its own, trusts whom the platform trusts, and goes
 * through the proxy of the system.
 */
final class JdkConnections implements WebhookConnections {

	private final ClientHttpConnector connector;

	JdkConnections(WebhookSettings settings) {
		HttpClient.Builder http = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.followRedirects(HttpClient.Redirect.NEVER)
			.connectTimeout(settings.timeout());
		if ("https".equalsIgnoreCase(settings.url().getScheme())) {
			http.sslContext(trustOfThePlatform());
		}
		this.connector = new JdkClientHttpConnector(http.build());
	}

	/** That of now, and not of when somebody first asked for it. */
	private static SSLContext trustOfThePlatform() {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, null, null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("The platform has no TLS", ex);
		}
	}

	@Override
	public ClientHttpConnector connector() {
		return this.connector;
	}

	@Override
	public void close() {
		// Before JDK 21 it cannot be closed: its threads end once nobody has it any more.
	}

}
