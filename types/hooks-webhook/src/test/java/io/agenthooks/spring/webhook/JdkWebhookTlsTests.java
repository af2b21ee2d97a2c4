package io.agenthooks.spring.webhook;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * {@link WebhookTlsTests} with the HTTP client of the JDK, which applications use that do
 * not bring Reactor Netty.
 */
class JdkWebhookTlsTests extends WebhookTlsTests {

	@BeforeAll
	static void useJdk() {
		Webhooks.useJdk(true);
	}

	@AfterAll
	static void useNettyAgain() {
		Webhooks.useJdk(false);
	}

}
