package io.agenthooks.test.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;

/**
 * A model of Spring AI for demonstrations without a key, which is no AI: it calls the
 * tools that the user's message names, and then quotes what they returned. A line of the
 * message is a call:
 *
 * <pre class="code">
 * read_file {"path": "notes.txt"}
 * list_directory {}
 *
 * delete_file {"path": "notes.txt"}
 * </pre>
 * <p>
 * Lines together are one batch; an empty line makes the next batch wait for the results
 * of the one before. Arguments are handed on as they are, also if they are no JSON. Other
 * lines say nothing to the model. It is safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class DemoChatModel implements ChatModel {

	/** The name of the model in each response. */
	public static final String NAME = "demo (no AI)";

	private static final String HELP = """
			Write calls of tools, one per line, such as: read_file {"path": "notes.txt"}
			An empty line between two calls makes the second one wait for the first one's result.""";

	private static final Pattern CALL = Pattern.compile("([\\w.-]+)[ \\t]*(\\{.*)");

	private final Function<List<Message>, String> script;

	/** Create a model that reads lines. */
	public DemoChatModel() {
		this((messages) -> {
			String text = String.valueOf(messages.get(messages.size() - 1).getText());
			return (hasCalls(text)) ? text : HELP;
		});
	}

	/**
	 * Create a model that understands sentences of your own.
	 * @param script makes lines of calls of the conversation, whose last message is that
	 * of the user; a text without such lines is the answer
	 */
	public DemoChatModel(Function<List<Message>, String> script) {
		this.script = Objects.requireNonNull(script, "'script' must not be null");
	}

	/**
	 * Whether a text has a line that is a call, for a script of your own.
	 * @param text the text
	 * @return {@code true} if there is a call
	 */
	public static boolean hasCalls(String text) {
		return !batches(text).isEmpty();
	}

	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().model(NAME).build();
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		return response(answer(prompt.getInstructions()), true);
	}

	/** Say the same as {@link #call}, line by line. */
	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> {
			AssistantMessage answer = answer(prompt.getInstructions());
			if (answer.hasToolCalls()) {
				return Flux.just(response(answer, true));
			}
			List<String> lines = List.of(String.valueOf(answer.getText()).split("(?<=\n)"));
			return Flux.range(0, lines.size())
				.map((i) -> response(new AssistantMessage(lines.get(i)), i == lines.size() - 1));
		});
	}

	private AssistantMessage answer(List<Message> messages) {
		int asked = lastQuestion(messages);
		String text = (asked >= 0) ? this.script.apply(messages.subList(0, asked + 1)) : HELP;
		List<List<AssistantMessage.ToolCall>> batches = batches(text);
		List<Message> since = messages.subList(asked + 1, messages.size());
		long played = since.stream().filter(ToolResponseMessage.class::isInstance).count();
		if (played < batches.size()) {
			return AssistantMessage.builder().toolCalls(batches.get((int) played)).build();
		}
		return new AssistantMessage((batches.isEmpty()) ? text : quote(since));
	}

	private static int lastQuestion(List<Message> messages) {
		for (int i = messages.size() - 1; i >= 0; i--) {
			if (messages.get(i) instanceof UserMessage) {
				return i;
			}
		}
		return -1;
	}

	private static List<List<AssistantMessage.ToolCall>> batches(String text) {
		List<List<AssistantMessage.ToolCall>> batches = new ArrayList<>();
		List<AssistantMessage.ToolCall> batch = new ArrayList<>();
		for (String line : text.lines().map(String::strip).toList()) {
			Matcher call = CALL.matcher(line);
			if (call.matches()) {
				batch.add(new AssistantMessage.ToolCall(UUID.randomUUID().toString(), "function", call.group(1),
						call.group(2)));
			}
			else if (line.isEmpty() && !batch.isEmpty()) {
				batches.add(List.copyOf(batch));
				batch.clear();
			}
		}
		if (!batch.isEmpty()) {
			batches.add(batch);
		}
		return batches;
	}

	private static String quote(List<Message> since) {
		return since.stream()
			.flatMap((message) -> (message instanceof ToolResponseMessage replies) ? replies.getResponses().stream()
					: Stream.empty())
			.map((reply) -> "%s said: %s".formatted(reply.name(), reply.responseData()))
			.collect(Collectors.joining("\n"));
	}

	private static ChatResponse response(AssistantMessage message, boolean last) {
		ChatGenerationMetadata metadata = (last) ? ChatGenerationMetadata.builder()
			.finishReason((message.hasToolCalls()) ? "TOOL_CALLS" : "STOP")
			.build() : ChatGenerationMetadata.NULL;
		return new ChatResponse(List.of(new Generation(message, metadata)),
				ChatResponseMetadata.builder().model(NAME).build());
	}

}
