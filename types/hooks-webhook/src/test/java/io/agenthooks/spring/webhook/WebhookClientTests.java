package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WebhookClient}: how an exchange ends for who waits for it.
 */
@ExtendWith(OutputCaptureExtension.class)
class WebhookClientTests {

	@Test
	void exchangeWhoseEventLoopHasEndedIsGivenUpQuietly() {
		AtomicBoolean cancelled = new AtomicBoolean();
		Mono<byte[]> exchange = Mono.create((sink) -> sink.onCancel(() -> {
			cancelled.set(true);
			throw new RejectedExecutionException("event executor terminated");
		}));
		assertThatExceptionOfType(WebhookException.class)
			.isThrownBy(() -> client((request, next) -> next.exchange(request)).await(exchange, System.nanoTime()))
			.withMessage("The webhook did not answer in time");
		assertThat(cancelled).isTrue();
	}

	@Test
	void exchangeThatIsBeingBegunAtTheCloseFindsItsEventLoop(CapturedOutput output) throws Exception {
		AtomicReference<Thread> closer = new AtomicReference<>();
		WebhookClient client = client("begun", (request, next) -> {
			Thread closing = closer.get();
			if (closing != null) {
				closing.start();
				Awaitility.await()
					.until(() -> closing.getState() == Thread.State.TIMED_WAITING || !eventLoopRuns("begun"));
			}
			return next.exchange(request);
		});
		assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> ask(client));
		assertThat(eventLoopRuns("begun")).isTrue();
		Thread closing = new Thread(client::close);
		closer.set(closing);
		assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> ask(client));
		closing.join();
		assertThat(output).doesNotContain("RejectedExecutionException");
	}

	@Test
	void noExchangeBeginsAfterTheClose() {
		AtomicInteger exchanges = new AtomicInteger();
		WebhookClient client = client((request, next) -> {
			exchanges.incrementAndGet();
			return next.exchange(request);
		});
		client.close();
		assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> ask(client))
			.withMessage("The application is shutting down")
			.matches((ex) -> !ex.isOutage(), "is no outage");
		assertThat(exchanges).hasValue(0);
	}

	@Test
	void filterThatHangsHoldsUpTheCloseForAMomentOnly() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		WebhookClient client = client((request, next) -> {
			begun.countDown();
			awaitQuietly(closed);
			return Mono.error(WebhookException.outage("held up"));
		});
		FutureTask<byte[]> asking = new FutureTask<>(() -> ask(client));
		new Thread(asking).start();
		begun.await();
		client.close();
		closed.countDown();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(asking::get)
			.withCauseInstanceOf(WebhookException.class);
	}

	private static byte[] ask(WebhookClient client) throws InterruptedException {
		return client.await(client.ask(new byte[0], new ArrivedBody(0)),
				System.nanoTime() + Duration.ofSeconds(10).toNanos());
	}

	private static WebhookClient client(ExchangeFilterFunction filter) {
		return client("closing", filter);
	}

	/** A client of an endpoint that takes no connections. */
	private static WebhookClient client(String name, ExchangeFilterFunction filter) {
		WebhookSettings settings = WebhookSettings.of(Webhooks.config("http://localhost:1", "timeout=5s"));
		return new WebhookClient(name, settings, new NettyConnections(name, settings), WebClient.builder(),
				List.of((hook, builder) -> builder.filter(filter)));
	}

	private static boolean eventLoopRuns(String name) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().startsWith("hooks-" + name));
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
