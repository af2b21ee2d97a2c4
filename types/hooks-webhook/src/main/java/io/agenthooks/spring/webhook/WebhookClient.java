package io.agenthooks.spring.webhook;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Bounded in time, size and number. Every webhook has connections of its own: one that
 * hangs holds up no other, and none waits for a thread of the application.
 */
final class WebhookClient {

	/** An answer with these may hold a verdict. */
	private static final Set<Integer> ANSWERED = Set.of(200, 201, 202);

	/** For exchanges that are just being begun. */
	private static final Duration MAX_WAIT_FOR_BEGINNING = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(WebhookClient.class);

	private final WebhookSettings settings;

	private final WebhookSignature signature;

	private final WebhookConnections connections;

	private final WebClient client;

	/** Shared by those who begin an exchange, exclusive for who closes. */
	private final ReadWriteLock beginning = new ReentrantReadWriteLock();

	private final Set<Runnable> underWay = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	WebhookClient(String name, WebhookSettings settings, WebhookConnections connections, WebClient.Builder builder,
			List<WebhookClientCustomizer> customizers) {
		this.settings = settings;
		this.signature = new WebhookSignature(settings.signingKeys());
		this.connections = connections;
		builder.clientConnector(connections.connector());
		customizers.forEach((customizer) -> customizer.customize(name, builder));
		this.client = builder.build();
	}

	/** An error is a {@link WebhookException}. */
	Mono<byte[]> ask(byte[] question, ArrivedBody arrived) {
		return post(question, (response) -> {
			WebhookException refusal = refusal(response);
			if (refusal == null) {
				return readBody(response, arrived);
			}
			return (refusal.isOutage()) ? readBody(response, arrived).onErrorComplete().then(Mono.error(refusal))
					: discardBody(response, refusal);
		});
	}

	/** The answer is of no interest; an error is a {@link WebhookException}. */
	Mono<byte[]> postNotification(byte[] notification) {
		return post(notification, (response) -> (response.statusCode().is2xxSuccessful())
				? readBody(response, new ArrivedBody(0)) : discardBody(response, refusal(response.statusCode())));
	}

	/**
	 * Wait here and not in Reactor: the caller may be one of Reactor's own threads, where
	 * {@code block()} throws and on which its timers run.
	 */
	byte[] await(Mono<byte[]> exchange, long deadline) throws InterruptedException {
		CompletableFuture<byte @Nullable []> answer = begin(exchange);
		Runnable end = () -> cancel(answer);
		this.underWay.add(end);
		if (this.closed) {
			end.run();
		}
		try {
			byte @Nullable [] body = answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			return (body != null) ? body : new byte[0];
		}
		catch (TimeoutException ex) {
			throw WebhookException.timeout();
		}
		catch (ExecutionException ex) {
			throw WebhookException.of((ex.getCause() != null) ? ex.getCause() : ex);
		}
		catch (CancellationException ex) {
			throw shutDown();
		}
		finally {
			this.underWay.remove(end);
			end.run();
		}
	}

	/**
	 * The event loop does not end meanwhile: Netty would warn of the connection that it
	 * cannot open any more.
	 */
	private CompletableFuture<byte @Nullable []> begin(Mono<byte[]> exchange) {
		this.beginning.readLock().lock();
		try {
			if (this.closed) {
				throw shutDown();
			}
			return exchange.toFuture();
		}
		finally {
			this.beginning.readLock().unlock();
		}
	}

	private static WebhookException shutDown() {
		return WebhookException.refusal("The application is shutting down");
	}

	/**
	 * Once the event loop has ended, which ends each exchange on it, it refuses to be
	 * told so.
	 */
	private static void cancel(CompletableFuture<?> exchange) {
		try {
			exchange.cancel(true);
		}
		catch (RejectedExecutionException ex) {
			logger.trace("The event loop of a webhook has ended before an exchange on it", ex);
		}
	}

	private Mono<byte[]> post(byte[] body, Function<ClientResponse, Mono<byte[]>> reader) {
		return Mono
			.defer(() -> this.client.post()
				.uri(this.settings.url())
				.headers((headers) -> fill(headers, body))
				.bodyValue(body)
				.exchangeToMono(reader))
			.onErrorMap(WebhookException::of);
	}

	private void fill(HttpHeaders headers, byte[] body) {
		headers.setContentType(MediaType.APPLICATION_JSON);
		headers.setAccept(List.of(MediaType.APPLICATION_JSON));
		headers.set(HttpHeaders.USER_AGENT, "agent-hooks");
		if (this.settings.authHeader() != null) {
			headers.set(HttpHeaders.AUTHORIZATION, this.settings.authHeader());
		}
		if (!this.settings.signingKeys().isEmpty()) {
			this.signature.sign(headers, body);
		}
	}

	/**
	 * By status and headers alone. A body that is not read cannot keep us waiting, so it
	 * cannot turn a refusal into a timeout.
	 */
	private @Nullable WebhookException refusal(ClientResponse response) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		boolean foreign = this.settings.system() != null;
		if (!(ANSWERED.contains(response.statusCode().value())
				|| (foreign && response.statusCode().is2xxSuccessful()))) {
			return refusal(response.statusCode());
		}
		if (!isJson(headers) && !(foreign && headers.getOrEmpty(HttpHeaders.CONTENT_TYPE).isEmpty())) {
			return WebhookException.refusal("The answer of the webhook is not declared as JSON");
		}
		if (headers.getOrEmpty(HttpHeaders.CONTENT_LENGTH).size() > 1) {
			return WebhookException.refusal("The answer of the webhook has several lengths");
		}
		if (headers.getOrEmpty(HttpHeaders.CONTENT_ENCODING)
			.stream()
			.anyMatch((encoding) -> !encoding.equalsIgnoreCase("identity"))) {
			return WebhookException.refusal("The answer of the webhook is encoded in a way that was not asked for");
		}
		if (headers.getContentLength() > this.settings.maxResponseBytes()) {
			return WebhookException.refusal("The answer of the webhook is too large");
		}
		return null;
	}

	private static WebhookException refusal(HttpStatusCode status) {
		String message = "The webhook answered with status " + status.value();
		// Also 429: how many questions there are is up to the agent.
		return (status.is5xxServerError()) ? WebhookException.outage(message) : WebhookException.refusal(message);
	}

	private static boolean isJson(HttpHeaders headers) {
		List<String> types = headers.getOrEmpty(HttpHeaders.CONTENT_TYPE);
		if (types.size() != 1) {
			return false;
		}
		try {
			MediaType type = MediaType.parseMediaType(types.get(0));
			boolean json = type.getType().equals("application")
					&& (type.getSubtype().equals("json") || type.getSubtype().endsWith("+json"));
			return json && (type.getCharset() == null || StandardCharsets.UTF_8.equals(type.getCharset()));
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private Mono<byte[]> readBody(ClientResponse response, ArrivedBody arrived) {
		Flux<DataBuffer> parts = response.body(BodyExtractors.toDataBuffers()).doOnNext(arrived::add);
		return DataBufferUtils.join(parts, this.settings.maxResponseBytes()).map((buffer) -> {
			byte[] body = new byte[buffer.readableByteCount()];
			buffer.read(body);
			DataBufferUtils.release(buffer);
			return body;
		}).defaultIfEmpty(new byte[0]);
	}

	/** Close the connection instead of reading on. */
	private static Mono<byte[]> discardBody(ClientResponse response, WebhookException refusal) {
		response.body(BodyExtractors.toDataBuffers()).subscribe(DataBufferUtils.releaseConsumer()).dispose();
		return Mono.error(refusal);
	}

	/** All that is under way fails, and nothing new begins. */
	void close() {
		this.closed = true;
		awaitBeginning();
		this.underWay.forEach(Runnable::run);
		this.connections.close();
	}

	/** A filter of the application may hold one up. */
	private void awaitBeginning() {
		try {
			if (this.beginning.writeLock().tryLock(MAX_WAIT_FOR_BEGINNING.toNanos(), TimeUnit.NANOSECONDS)) {
				this.beginning.writeLock().unlock();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
