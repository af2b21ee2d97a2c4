package io.agenthooks.spring.ai;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server that speaks the chat completions of OpenAI, waiting and streaming, and says
 * what a scripted model says. When it streams, it cuts texts and arguments into pieces of
 * three characters, and mixes the pieces of the calls of a batch.
 */
final class OpenAiServer implements AutoCloseable {

	private static final JsonMapper mapper = JsonMapper.shared();

	private static final int PIECE = 3;

	private final List<JsonNode> requests = Collections.synchronizedList(new ArrayList<>());

	private final ScriptedChatModel model;

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	OpenAiServer(ScriptedChatModel model) throws IOException {
		this.model = model;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/v1/chat/completions", this::complete);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/v1";
	}

	/**
	 * What was sent, as JSON.
	 */
	List<JsonNode> requests() {
		return List.copyOf(this.requests);
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	private void complete(HttpExchange exchange) throws IOException {
		JsonNode request = mapper.readTree(exchange.getRequestBody());
		this.requests.add(request);
		AssistantMessage message = Objects.requireNonNull(this.model.next(new Prompt(messages(request))).getResult())
			.getOutput();
		boolean streaming = request.path("stream").asBoolean(false);
		exchange.getResponseHeaders()
			.set(HttpHeaders.CONTENT_TYPE,
					(streaming) ? MediaType.TEXT_EVENT_STREAM_VALUE : MediaType.APPLICATION_JSON_VALUE);
		exchange.sendResponseHeaders(200, 0);
		try (OutputStream body = exchange.getResponseBody()) {
			if (!streaming) {
				write(body, completion(message).toString());
				return;
			}
			for (ObjectNode delta : deltas(message)) {
				write(body, "data: " + chunk(delta, null) + "\n\n");
			}
			write(body, "data: " + chunk(mapper.createObjectNode(), finishReason(message)) + "\n\n");
			write(body, "data: [DONE]\n\n");
		}
	}

	private static void write(OutputStream body, String text) throws IOException {
		body.write(text.getBytes(StandardCharsets.UTF_8));
		body.flush();
	}

	private static List<Message> messages(JsonNode request) {
		List<Message> messages = new ArrayList<>();
		List<ToolResponse> replies = new ArrayList<>();
		for (JsonNode message : request.at("/messages")) {
			String text = message.path("content").asString("");
			String role = message.path("role").asString();
			if (role.equals("tool")) {
				replies.add(new ToolResponse(message.path("tool_call_id").asString(), "", text));
				continue;
			}
			addReplies(replies, messages);
			Message read = switch (role) {
				case "system" -> new SystemMessage(text);
				case "user" -> new UserMessage(text);
				case "assistant" -> new AssistantMessage(text);
				default -> throw new IllegalArgumentException(role);
			};
			messages.add(read);
		}
		addReplies(replies, messages);
		return messages;
	}

	private static void addReplies(List<ToolResponse> replies, List<Message> messages) {
		if (!replies.isEmpty()) {
			messages.add(ToolResponseMessage.builder().responses(List.copyOf(replies)).build());
			replies.clear();
		}
	}

	private static ObjectNode completion(AssistantMessage message) {
		ObjectNode said = mapper.createObjectNode().put("role", "assistant").putNull("refusal");
		if (message.hasToolCalls()) {
			said.putNull("content");
			ArrayNode calls = said.putArray("tool_calls");
			message.getToolCalls().forEach((call) -> calls.add(call(call, call.arguments())));
		}
		else {
			said.put("content", message.getText());
		}
		ObjectNode completion = envelope("chat.completion");
		ObjectNode choice = completion.putArray("choices").addObject();
		choice.put("index", 0).putNull("logprobs").put("finish_reason", finishReason(message)).set("message", said);
		completion.set("usage",
				mapper.valueToTree(Map.of("prompt_tokens", 1, "completion_tokens", 1, "total_tokens", 2)));
		return completion;
	}

	private static List<ObjectNode> deltas(AssistantMessage message) {
		List<ObjectNode> deltas = new ArrayList<>();
		if (!message.hasToolCalls()) {
			deltas.add(mapper.createObjectNode().put("role", "assistant").put("content", ""));
			pieces(String.valueOf(message.getText()))
				.forEach((piece) -> deltas.add(mapper.createObjectNode().put("content", piece)));
			return deltas;
		}
		deltas.add(mapper.createObjectNode().put("role", "assistant").putNull("content"));
		List<AssistantMessage.ToolCall> calls = message.getToolCalls();
		for (int i = 0; i < calls.size(); i++) {
			deltas.add(delta(call(calls.get(i), "").put("index", i)));
		}
		int longest = calls.stream().mapToInt((call) -> pieces(call.arguments()).size()).max().orElse(0);
		for (int piece = 0; piece < longest; piece++) {
			for (int i = 0; i < calls.size(); i++) {
				List<String> pieces = pieces(calls.get(i).arguments());
				if (piece < pieces.size()) {
					ObjectNode call = mapper.createObjectNode().put("index", i);
					call.putObject("function").put("arguments", pieces.get(piece));
					deltas.add(delta(call));
				}
			}
		}
		return deltas;
	}

	private static ObjectNode delta(ObjectNode call) {
		ObjectNode delta = mapper.createObjectNode();
		delta.putArray("tool_calls").add(call);
		return delta;
	}

	private static ObjectNode call(AssistantMessage.ToolCall call, String arguments) {
		ObjectNode node = mapper.createObjectNode().put("id", call.id()).put("type", "function");
		node.putObject("function").put("name", call.name()).put("arguments", arguments);
		return node;
	}

	private static ObjectNode chunk(ObjectNode delta, @Nullable String finishReason) {
		ObjectNode chunk = envelope("chat.completion.chunk");
		ObjectNode choice = chunk.putArray("choices").addObject();
		choice.put("index", 0).putNull("logprobs").put("finish_reason", finishReason).set("delta", delta);
		return chunk;
	}

	private static ObjectNode envelope(String object) {
		return mapper.createObjectNode()
			.put("id", "chatcmpl-1")
			.put("object", object)
			.put("created", 1)
			.put("model", "stub");
	}

	private static String finishReason(AssistantMessage message) {
		return (message.hasToolCalls()) ? "tool_calls" : "stop";
	}

	private static List<String> pieces(String text) {
		List<String> pieces = new ArrayList<>();
		for (int i = 0; i < text.length(); i += PIECE) {
			pieces.add(text.substring(i, Math.min(i + PIECE, text.length())));
		}
		return pieces;
	}

}
