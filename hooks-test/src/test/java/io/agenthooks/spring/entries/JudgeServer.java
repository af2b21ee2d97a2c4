package io.agenthooks.spring.entries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model that judges, behind the chat completions of OpenAI: it gives whatever answer a
 * test wants, also one that no model should, and remembers what it was asked, as it came.
 */
final class JudgeServer implements AutoCloseable {

	private static final JsonMapper mapper = JsonMapper.shared();

	private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

	private final CountDownLatch released = new CountDownLatch(1);

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private volatile int status = 200;

	private volatile String body = "";

	private volatile boolean silent;

	JudgeServer() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/v1/chat/completions", this::complete);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	/**
	 * Say a text.
	 */
	static JudgeServer saying(String text) {
		return new JudgeServer().says(text);
	}

	static JudgeServer failing(int status, String body) {
		JudgeServer server = new JudgeServer();
		server.status = status;
		server.body = body;
		return server;
	}

	/**
	 * Do not answer before the test is over.
	 */
	static JudgeServer silent() {
		JudgeServer server = new JudgeServer();
		server.silent = true;
		return server;
	}

	JudgeServer says(String text) {
		return chooses(List.of(choice(text, "stop")));
	}

	/**
	 * Give an answer with these choices.
	 */
	JudgeServer chooses(List<ObjectNode> choices) {
		ObjectNode completion = mapper.createObjectNode()
			.put("id", "chatcmpl-1")
			.put("object", "chat.completion")
			.put("created", 1)
			.put("model", "stub");
		ArrayNode array = completion.putArray("choices");
		for (ObjectNode choice : choices) {
			array.add(choice.put("index", array.size()));
		}
		completion.set("usage",
				mapper.valueToTree(Map.of("prompt_tokens", 1, "completion_tokens", 1, "total_tokens", 2)));
		this.body = completion.toString();
		return this;
	}

	static ObjectNode choice(String text, String finishReason) {
		ObjectNode choice = mapper.createObjectNode().put("finish_reason", finishReason).putNull("logprobs");
		choice.putObject("message").put("role", "assistant").put("content", text).putNull("refusal");
		return choice;
	}

	/**
	 * A choice that wants to call a tool, too.
	 */
	static ObjectNode calling(String text) {
		return calling(text, "{}");
	}

	static ObjectNode calling(String text, String arguments) {
		ObjectNode choice = choice(text, "stop");
		ObjectNode call = ((ObjectNode) choice.get("message")).putArray("tool_calls").addObject();
		call.put("id", "call-1").put("type", "function");
		call.putObject("function").put("name", "ls").put("arguments", arguments);
		return choice;
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/v1";
	}

	/**
	 * A client of this server, whose own options have a tool.
	 */
	OpenAiChatModel model() {
		return model(url());
	}

	static OpenAiChatModel model(String url) {
		ToolCallback tool = FunctionToolCallback.builder("ls", (Map<String, Object> input) -> "")
			.description("Lists")
			.inputType(Map.class)
			.build();
		return OpenAiChatModel.builder()
			.options(OpenAiChatOptions.builder()
				.baseUrl(url)
				.apiKey("test")
				.model("stub")
				.maxRetries(0)
				.toolCallbacks(List.of(tool))
				.build())
			.build();
	}

	/**
	 * How often the model was asked.
	 */
	int asked() {
		return this.requests.size();
	}

	/**
	 * The last request as it came.
	 */
	String raw() {
		return this.requests.get(this.requests.size() - 1);
	}

	JsonNode request() {
		return mapper.readTree(raw());
	}

	String system() {
		return message(0, "system");
	}

	String question() {
		return message(1, "user");
	}

	private String message(int index, String role) {
		JsonNode message = request().at("/messages/" + index);
		if (!message.path("role").asString().equals(role)) {
			throw new AssertionError(message.toString());
		}
		return message.path("content").asString();
	}

	private void complete(HttpExchange exchange) throws IOException {
		this.requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
		if (this.silent) {
			try {
				this.released.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		byte[] bytes = this.body.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		exchange.sendResponseHeaders(this.status, (bytes.length > 0) ? bytes.length : -1);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	@Override
	public void close() {
		this.released.countDown();
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
