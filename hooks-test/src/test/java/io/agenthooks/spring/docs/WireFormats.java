package io.agenthooks.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares JSON that a page shows with what hooks really send and accept.
 */
final class WireFormats {

	private static final ObjectMapper JSON = new ObjectMapper();

	/** What pages write in place of an id. */
	private static final String SOME_ID = "0b1c...";

	private final ClassLoader classLoader;

	private final Path folder;

	WireFormats(ClassLoader classLoader, Path folder) {
		this.classLoader = classLoader;
		this.folder = folder;
	}

	/**
	 * A webhook gets what the page shows.
	 */
	void checkWebhookRequest(String shown) {
		checkSent(shown, askWebhook(callOf(shown) + " -> runs", "{\"verdict\": \"approve\"}"));
	}

	/**
	 * The answer that the page shows does what the note says.
	 */
	void checkWebhookAnswer(String call, String answer) {
		askWebhook(call, answer);
	}

	private String askWebhook(String call, String answer) {
		BlockingQueue<String> received = new LinkedBlockingQueue<>();
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			server.createContext("/", (exchange) -> {
				String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
				received.add(body);
				byte[] reply = answer.replace(SOME_ID, JSON.readTree(body).get("call_id").asString())
					.getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().add("Content-Type", "application/json");
				exchange.sendResponseHeaders(200, reply.length);
				exchange.getResponseBody().write(reply);
				exchange.close();
			});
			server.start();
			try {
				check("""
						hooks:
						  tool_call:
						    pre_call:
						      - type: webhook
						        config: {url: "http://127.0.0.1:%d/", fail_open: false, notify: false, timeout: 60s}
						""".formatted(server.getAddress().getPort()), call);
			}
			finally {
				server.stop(0);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return received.remove();
	}

	/**
	 * A command gets what the page shows.
	 */
	void checkCommandInput(String shown) {
		Path written = this.folder.resolve("input.json");
		check("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: command
				        config: {command: "cat > '%s'"}
				""".formatted(written), callOf(shown) + " -> runs");
		try {
			checkSent(shown, Files.readString(written));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void check(String yaml, String call) {
		new StartedConfiguration(yaml, this.classLoader, List.of(), List.of(call), null).check();
	}

	private static String callOf(String shown) {
		JsonNode call = JSON.readTree(shown);
		JsonNode arguments = (call.has("arguments")) ? call.get("arguments") : call.get("tool_input");
		return call.get("tool_name").asString() + " " + arguments;
	}

	/**
	 * Every member that the page shows is sent, with a value of the same kind.
	 */
	private static void checkSent(String shown, String sent) {
		JsonNode real = JSON.readTree(sent);
		JSON.readTree(shown).properties().forEach((member) -> {
			assertThat(real.has(member.getKey())).as(member.getKey()).isTrue();
			assertThat(real.get(member.getKey()).getNodeType()).as(member.getKey())
				.isEqualTo(member.getValue().getNodeType());
		});
	}

}
