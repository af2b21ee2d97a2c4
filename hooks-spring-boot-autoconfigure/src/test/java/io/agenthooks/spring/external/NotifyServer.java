package io.agenthooks.spring.external;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real endpoint that is told about questions.
 */
public final class NotifyServer implements AutoCloseable {

	private static final JsonMapper json = new JsonMapper();

	public final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

	/** Statuses of the next answers; then it is 200. */
	public final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HttpServer server;

	private volatile CountDownLatch held = new CountDownLatch(0);

	public NotifyServer() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	private void answer(HttpExchange exchange) throws IOException {
		byte[] body = exchange.getRequestBody().readAllBytes();
		this.messages.add(new Message(exchange.getRequestHeaders(), new String(body, StandardCharsets.UTF_8)));
		try {
			if (!this.held.await(60, TimeUnit.SECONDS)) {
				throw new IOException("Nobody released it");
			}
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
		Integer status = this.statuses.poll();
		exchange.sendResponseHeaders((status != null) ? status : 200, 2);
		exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
		exchange.close();
	}

	/**
	 * Answer nothing for now.
	 * @return lets it answer again
	 */
	public CountDownLatch hold() {
		CountDownLatch latch = new CountDownLatch(1);
		this.held = latch;
		return latch;
	}

	public String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/services/T0/B0/hunter2";
	}

	public Message take() throws InterruptedException {
		Message message = this.messages.poll(30, TimeUnit.SECONDS);
		assertThat(message).as("message").isNotNull();
		return message;
	}

	@Override
	public void close() {
		this.held.countDown();
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	/**
	 * What arrived.
	 *
	 * @param headers its headers
	 * @param body its body
	 */
	public record Message(Headers headers, String body) {

		public JsonNode json() {
			return json.readTree(this.body);
		}

	}

}
