package io.agenthooks.test.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ScriptedChatModel}, alone and in an application with hooks.
 */
class ScriptedChatModelTests {

	private static final Prompt PROMPT = new Prompt("Clean up");

	private final ScriptedChatModel model = new ScriptedChatModel();

	private final Files files = new Files();

	@Test
	void repliesComeInOrderAndPromptsAreRemembered() {
		this.model.says("one").says("two");
		assertThat(this.model.call("a")).isEqualTo("one");
		assertThat(this.model.repliesLeft()).isEqualTo(1);
		assertThat(this.model.call("b")).isEqualTo("two");
		assertThat(this.model.prompts()).extracting(Prompt::getContents).containsExactly("a", "b");
		assertThat(this.model.repliesLeft()).isZero();
	}

	@Test
	void callWithoutReplyFails() {
		this.model.says("one").call(PROMPT);
		assertThatIllegalStateException().isThrownBy(() -> this.model.call(PROMPT))
			.withMessageStartingWith("The script has no reply to call 2 of the model.");
		assertThatIllegalStateException().isThrownBy(() -> this.model.stream(PROMPT).blockLast())
			.withMessageStartingWith("The script has no reply to call 3 of the model.");
	}

	@Test
	void failureComesOnceAndTheScriptGoesOn() {
		this.model.fails(new IllegalArgumentException("too long")).says("shorter");
		assertThatIllegalArgumentException().isThrownBy(() -> this.model.call(PROMPT)).withMessage("too long");
		assertThat(this.model.call("b")).isEqualTo("shorter");
	}

	@Test
	void callsOfToolsHaveIdsAndArguments() {
		this.model.calls("a", Map.of("x", 1)).calls("b", "{\"y\": ");
		this.model.calls(this.model.toolCall("c", "{}"), this.model.toolCall("d", "{}"));
		assertThat(List.of(this.model.call(PROMPT), this.model.call(PROMPT), this.model.call(PROMPT)))
			.flatExtracting((response) -> generation(response).getOutput().getToolCalls())
			.containsExactly(new AssistantMessage.ToolCall("call-1", "function", "a", "{\"x\":1}"),
					new AssistantMessage.ToolCall("call-2", "function", "b", "{\"y\": "),
					new AssistantMessage.ToolCall("call-3", "function", "c", "{}"),
					new AssistantMessage.ToolCall("call-4", "function", "d", "{}"));
	}

	private static Generation generation(ChatResponse response) {
		return Objects.requireNonNull(response.getResult());
	}

	@Test
	void textIsStreamedWordByWord() {
		this.model.says("All is clean");
		List<ChatResponse> parts = this.model.stream(PROMPT).collectList().block();
		assertThat(parts).isNotNull()
			.extracting((part) -> generation(part).getOutput().getText())
			.containsExactly("All ", "is ", "clean");
		assertThat(generation(parts.get(2)).getMetadata().getFinishReason()).isEqualTo("stop");
	}

	@Test
	void deniedCallOfAToolReachesTheModelAsItsReason() {
		run((client) -> {
			this.model.calls("deleteFile", Map.of("path", "/etc/passwd"))
				.calls("deleteFile", Map.of("path", "/tmp/x"))
				.says("Done");
			assertThat(client.prompt("Clean up").tools(this.files).call().content()).isEqualTo("Done");
			assertThat(this.files.deleted).isEqualTo("/tmp/x");
			assertThat(this.model.toolResults()).containsExactly("\"deleted /tmp/x\"");
		});
	}

	@Test
	void streamedCallOfAToolIsDeniedToo() {
		run((client) -> {
			this.model.calls("deleteFile", Map.of("path", "/etc/passwd")).says("That is not allowed");
			assertThat(client.prompt("Clean up").tools(this.files).stream().content().collectList().block())
				.containsExactly("That ", "is ", "not ", "allowed");
			assertThat(this.files.deleted).isEmpty();
			assertThat(this.model.toolResults()).singleElement().asString().contains("path");
		});
	}

	private void run(Consumer<ChatClient> test) {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean("model", ScriptedChatModel.class, () -> this.model)
			.withPropertyValues("hooks.tool_call.pre_call[0].type=policy",
					"hooks.tool_call.pre_call[0].config.deny_argument_patterns.path[0]=^/etc/")
			.run((context) -> test.accept(context.getBean(ChatClient.Builder.class).build()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Files {

		private String deleted = "";

		@Tool(description = "Deletes a file")
		String deleteFile(String path) {
			this.deleted = path;
			return "deleted " + path;
		}

	}

}
