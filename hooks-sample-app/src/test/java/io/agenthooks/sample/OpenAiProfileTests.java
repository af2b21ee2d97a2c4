package io.agenthooks.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.test.util.TestSocketUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample with a real model's client, and a server in place of the model.
 */
class OpenAiProfileTests {

	private static final JsonMapper mapper = JsonMapper.shared();

	private final List<JsonNode> requests = new CopyOnWriteArrayList<>();

	private final List<String> authorizations = new CopyOnWriteArrayList<>();

	private HttpServer server;

	@TempDir
	private Path directory;

	@BeforeEach
	void startServer() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/v1/chat/completions", this::complete);
		this.server.start();
	}

	@AfterEach
	void stopServer() {
		this.server.stop(0);
	}

	@Test
	void profileAsksTheModelAndGuardsItsCalls() {
		try (ConfigurableApplicationContext sample = start()) {
			assertThat(AopProxyUtils.ultimateTargetClass(sample.getBean(ChatModel.class)))
				.isEqualTo(OpenAiChatModel.class);
			ChatReport report = sample.getBean(ChatAgent.class).ask(new ChatQuestion("Go", null, null, null));
			assertThat(report.answer()).isEqualTo("All done");
			assertThat(report.model()).isEqualTo("stub-1");
			assertThat(report.toolCalls()).extracting(ToolCallReport::status).containsExactly("succeeded", "denied");
		}
		assertThat(this.authorizations).containsOnly("Bearer ollama");
		assertThat(this.requests).hasSize(2);
		assertThat(this.requests.get(0).at("/model").asString()).isEqualTo("stub");
		assertThat(this.requests.get(0).at("/tools")).hasSize(10);
		JsonNode messages = this.requests.get(1).at("/messages");
		assertThat(messages.get(3).at("/content").asString()).isEqualTo("hello\n");
		assertThat(messages.get(4).at("/content").asString()).startsWith("Tool call denied by hook 'house-rules'");
	}

	/**
	 * Its model needs what calls tools, and that needs the hooks: it is not made for
	 * them.
	 */
	@Test
	void modelOfTheProfileJudgesItsOwnCalls() {
		String replaced = "--hooks.tool_call.replaces=house-rules,mail-approval,mail-outside,machine-facts,"
				+ "read-only-trial,three-refunds,refund-budget,no-loops,no-injected-payments,check-write,command-budget";
		String tools = "--hooks.tool_call.pre_call[0].";
		String models = "--hooks.llm_call.pre_call[0].";
		try (ConfigurableApplicationContext sample = start(replaced, tools + "type=prompt",
				tools + "config.prompt=May it? $INPUT", models + "type=prompt",
				models + "config.prompt=May it? $INPUT")) {
			ChatReport report = sample.getBean(ChatAgent.class).ask(new ChatQuestion("Go", null, null, null));
			assertThat(report.answer()).isEqualTo("All done");
			assertThat(report.toolCalls()).extracting(ToolCallReport::status).containsExactly("succeeded", "denied");
		}
		assertThat(this.requests).extracting((request) -> (isJudged(request)) ? "judge" : "agent")
			.containsExactly("judge", "agent", "judge", "judge", "judge", "agent");
		assertThat(this.requests).filteredOn(OpenAiProfileTests::isJudged)
			.allSatisfy((request) -> assertThat(request.has("tools")).isFalse());
	}

	private static boolean isJudged(JsonNode request) {
		return request.at("/messages/0/content").asString("").startsWith("You are the judge");
	}

	private ConfigurableApplicationContext start(String... arguments) {
		return SpringApplication.run(SampleApplication.class,
				Stream.concat(Stream.of("--spring.profiles.active=openai",
						"--OPENAI_BASE_URL=http://127.0.0.1:" + this.server.getAddress().getPort() + "/v1",
						"--OPENAI_MODEL=stub", "--OPENAI_API_KEY=ollama", "--sample.script=false",
						"--server.port=" + TestSocketUtils.findAvailableTcpPort(),
						"--sample.workspace=" + this.directory), Stream.of(arguments))
					.toArray(String[]::new));
	}

	private void complete(HttpExchange exchange) throws IOException {
		JsonNode request = mapper.readTree(exchange.getRequestBody());
		this.requests.add(request);
		this.authorizations.addAll(exchange.getRequestHeaders().get(HttpHeaders.AUTHORIZATION));
		if (isJudged(request)) {
			boolean denied = request.at("/messages/1/content").asString().contains("\"sudo ls\"}, \"tool_name\"");
			send(exchange, "{\"role\": \"assistant\", \"content\": \"{\\\"decision\\\": \\\"%s\\\"}\"}"
				.formatted((denied) ? "deny" : "allow"), "stop");
			return;
		}
		boolean answered = "tool"
			.equals(request.at("/messages").get(request.at("/messages").size() - 1).at("/role").asString());
		send(exchange, (answered) ? """
				{"role": "assistant", "content": "All done"}""" : """
				{"role": "assistant", "content": null, "tool_calls": [
				  {"id": "call_1", "type": "function",
				   "function": {"name": "run_command", "arguments": "{\\"command\\": \\"echo hello\\"}"}},
				  {"id": "call_2", "type": "function",
				   "function": {"name": "run_command", "arguments": "{\\"command\\": \\"sudo ls\\"}"}}]}""",
				(answered) ? "stop" : "tool_calls");
	}

	private static void send(HttpExchange exchange, String message, String finishReason) throws IOException {
		byte[] body = completion(message, finishReason).getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set(HttpHeaders.CONTENT_TYPE, "application/json");
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	private static String completion(String message, String finishReason) {
		return """
				{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "stub-1",
				 "choices": [{"index": 0, "message": %s, "logprobs": null, "finish_reason": "%s"}],
				 "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}""".formatted(message,
				finishReason);
	}

}
