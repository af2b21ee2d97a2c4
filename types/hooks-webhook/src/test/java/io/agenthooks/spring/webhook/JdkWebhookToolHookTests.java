package io.agenthooks.spring.webhook;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.Arguments;

/**
 * {@link WebhookToolHookContract} with the HTTP client of the JDK, which applications use
 * that do not bring Reactor Netty. It asks for no compression, and waits for what comes
 * after an interim answer.
 */
class JdkWebhookToolHookTests extends WebhookToolHookContract {

	@BeforeAll
	static void useJdk() {
		Webhooks.useJdk(true);
	}

	static Stream<Arguments> validAnswers() {
		return WebhookToolHookContract.validAnswers().filter((arguments) -> !"gzip".equals(arguments.get()[0]));
	}

	static Stream<Arguments> refusals() {
		return WebhookToolHookContract.refusals()
			.filter((arguments) -> !List.of("102", "103", "199").contains(arguments.get()[0]));
	}

	@AfterAll
	static void useNettyAgain() {
		Webhooks.useJdk(false);
	}

}
