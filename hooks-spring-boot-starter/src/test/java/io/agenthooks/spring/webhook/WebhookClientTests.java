package io.agenthooks.spring.webhook;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WebhookClient}: how an exchange ends for who waits for it.
 */
class WebhookClientTests {

	@Test
	void exchangeWhoseEventLoopHasEndedIsGivenUpQuietly() {
		AtomicBoolean cancelled = new AtomicBoolean();
		Mono<byte[]> exchange = Mono.create((sink) -> sink.onCancel(() -> {
			cancelled.set(true);
			throw new RejectedExecutionException("event executor terminated");
		}));
		assertThatExceptionOfType(WebhookException.class)
			.isThrownBy(() -> WebhookClient.await(exchange, System.nanoTime()))
			.withMessage("The webhook did not answer in time");
		assertThat(cancelled).isTrue();
	}

}
