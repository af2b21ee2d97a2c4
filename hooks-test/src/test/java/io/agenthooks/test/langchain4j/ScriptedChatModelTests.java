package io.agenthooks.test.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ScriptedChatModel}, alone and in an application with hooks.
 */
class ScriptedChatModelTests {

	private static final ChatRequest REQUEST = ChatRequest.builder().messages(UserMessage.from("Clean up")).build();

	private final ScriptedChatModel model = new ScriptedChatModel();

	private final Files files = new Files();

	@Test
	void repliesComeInOrderAndRequestsAreRemembered() {
		this.model.says("one").says("two");
		assertThat(this.model.chat("a")).isEqualTo("one");
		assertThat(this.model.repliesLeft()).isEqualTo(1);
		assertThat(this.model.chat("b")).isEqualTo("two");
		assertThat(this.model.requests()).extracting((request) -> request.messages().get(0))
			.containsExactly(UserMessage.from("a"), UserMessage.from("b"));
		assertThat(this.model.toolResults()).isEmpty();
	}

	@Test
	void callWithoutReplyFails() {
		this.model.says("one").chat(REQUEST);
		assertThatIllegalStateException().isThrownBy(() -> this.model.chat(REQUEST))
			.withMessageStartingWith("The script has no reply to call 2 of the model.");
	}

	@Test
	void failureComesOnceAndTheScriptGoesOn() {
		this.model.fails(new IllegalArgumentException("too long")).says("shorter");
		assertThatIllegalArgumentException().isThrownBy(() -> this.model.chat(REQUEST)).withMessage("too long");
		assertThat(this.model.chat("b")).isEqualTo("shorter");
	}

	@Test
	void callsOfToolsHaveIdsAndArguments() {
		this.model.calls("a", Map.of("x", 1)).calls("b", "{\"y\": ");
		this.model.calls(this.model.toolCall("c", "{}"), this.model.toolCall("d", "{}"));
		assertThat(List.of(this.model.chat(REQUEST), this.model.chat(REQUEST), this.model.chat(REQUEST)))
			.flatExtracting((response) -> response.aiMessage().toolExecutionRequests())
			.containsExactly(call("call-1", "a", "{\"x\":1}"), call("call-2", "b", "{\"y\": "),
					call("call-3", "c", "{}"), call("call-4", "d", "{}"));
	}

	private static ToolExecutionRequest call(String id, String tool, String arguments) {
		return ToolExecutionRequest.builder().id(id).name(tool).arguments(arguments).build();
	}

	@Test
	void deniedCallOfAToolReachesTheModelAsItsReason() {
		run(() -> {
			this.model.calls("deleteFile", Map.of("path", "/etc/passwd"))
				.calls(this.model.toolCall("deleteFile", "{\"path\": \"/tmp/x\"}"),
						this.model.toolCall("deleteFile", "{\"path\": \"/etc/hosts\"}"))
				.says("Done");
			Assistant assistant = AiServices.builder(Assistant.class).chatModel(this.model).tools(this.files).build();
			assertThat(assistant.chat("Clean up")).isEqualTo("Done");
			assertThat(this.files.deleted).isEqualTo("/tmp/x");
			assertThat(this.model.toolResults()).hasSize(2)
				.satisfies((results) -> assertThat(results.get(0)).isEqualTo("deleted /tmp/x"))
				.satisfies((results) -> assertThat(results.get(1)).contains("path"));
		});
	}

	@Test
	void streamedCallOfAToolIsDeniedToo() {
		run(() -> {
			this.model.calls("deleteFile", Map.of("path", "/etc/passwd")).says("That is not allowed");
			List<String> words = new ArrayList<>();
			assertThat(stream(words).orTimeout(1, TimeUnit.MINUTES).join()).isEqualTo("That is not allowed");
			assertThat(words).containsExactly("That ", "is ", "not ", "allowed");
			assertThat(this.files.deleted).isEmpty();
			assertThat(this.model.toolResults()).singleElement().asString().contains("path");
		});
	}

	@Test
	void failureEndsAStream() {
		this.model.fails(new IllegalStateException("no credit"));
		run(() -> assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> stream(new ArrayList<>()).orTimeout(1, TimeUnit.MINUTES).join())
			.withRootCauseExactlyInstanceOf(IllegalStateException.class)
			.withStackTraceContaining("no credit"));
	}

	private CompletableFuture<String> stream(List<String> words) {
		CompletableFuture<String> answer = new CompletableFuture<>();
		AiServices.builder(Streaming.class)
			.streamingChatModel(this.model.streaming())
			.tools(this.files)
			.build()
			.chat("Clean up")
			.onPartialResponse(words::add)
			.onCompleteResponse((response) -> answer.complete(response.aiMessage().text()))
			.onError(answer::completeExceptionally)
			.start();
		return answer;
	}

	private void run(Runnable test) {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("hooks.tool_call.pre_call[0].type=policy",
					"hooks.tool_call.pre_call[0].config.deny_argument_patterns.path[0]=^/etc/")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				test.run();
			});
	}

	interface Assistant {

		String chat(String message);

	}

	interface Streaming {

		TokenStream chat(String message);

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Files {

		private String deleted = "";

		@Tool("Deletes a file")
		String deleteFile(@P("path") String path) {
			this.deleted = path;
			return "deleted " + path;
		}

	}

}
