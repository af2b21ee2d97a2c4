package io.agenthooks.spring.health;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;

/**
 * A real endpoint that goes down and comes back at the same address.
 */
final class Endpoint implements AutoCloseable {

	final AtomicInteger asked = new AtomicInteger();

	volatile int status = 200;

	volatile String answer = "{\"verdict\":\"approve\"}";

	private volatile CountDownLatch held = new CountDownLatch(0);

	private final int port;

	private @Nullable HttpServer server;

	Endpoint() {
		HttpServer first = start(0);
		this.port = first.getAddress().getPort();
		this.server = first;
	}

	private HttpServer start(int port) {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
			server.createContext("/", (exchange) -> {
				this.asked.incrementAndGet();
				exchange.getRequestBody().readAllBytes();
				awaitRelease();
				byte[] body = this.answer.getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().add("Content-Type", "application/json");
				exchange.sendResponseHeaders(this.status, body.length);
				exchange.getResponseBody().write(body);
				exchange.close();
			});
			server.start();
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Let questions wait.
	 * @return lets them go on
	 */
	CountDownLatch hold() {
		CountDownLatch latch = new CountDownLatch(1);
		this.held = latch;
		return latch;
	}

	private void awaitRelease() throws IOException {
		try {
			if (!this.held.await(30, TimeUnit.SECONDS)) {
				throw new IOException("Nobody released it");
			}
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	String url() {
		return "http://127.0.0.1:" + this.port + "/hook?token=hunter2";
	}

	void goDown() {
		close();
	}

	void comeBack() {
		this.server = start(this.port);
	}

	@Override
	public void close() {
		HttpServer server = this.server;
		this.server = null;
		if (server != null) {
			server.stop(0);
		}
	}

}
