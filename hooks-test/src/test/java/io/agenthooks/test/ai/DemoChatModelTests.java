package io.agenthooks.test.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DemoChatModel}, alone and in an application with hooks.
 */
class DemoChatModelTests {

	private final Files files = new Files();

	@Test
	void linesAreCallsAndAnEmptyLineWaits() {
		run(new DemoChatModel(), (client) -> {
			String answer = client.prompt("""
					Please look:
					read {"path": "a"}
					read {"path": "b"}

					delete {"path": "a"}
					""").tools(this.files).call().content();
			assertThat(this.files.calls).containsExactly("read a", "read b", "delete a");
			assertThat(answer)
				.isEqualTo("read said: \"text of a\"\nread said: \"text of b\"\ndelete said: \"deleted a\"");
		});
	}

	@Test
	void deniedCallIsQuotedAndTheNextBatchIsMade() {
		run(new DemoChatModel(), (client) -> {
			String answer = client.prompt("delete {\"path\": \"/etc/hosts\"}\n\nread {\"path\": \"a\"}")
				.tools(this.files)
				.call()
				.content();
			assertThat(this.files.calls).containsExactly("read a");
			assertThat(answer).startsWith("delete said: Tool call denied by hook").endsWith("read said: \"text of a\"");
		});
	}

	@Test
	void streamSaysTheSameLineByLine() {
		run(new DemoChatModel(),
				(client) -> assertThat(client.prompt("read {\"path\": \"a\"}\nread {\"path\": \"b\"}")
					.tools(this.files)
					.stream()
					.content()
					.collectList()
					.block()).containsExactly("read said: \"text of a\"\n", "read said: \"text of b\""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Hello", "Thank you {}", "" })
	void messageWithoutCallsGetsHelp(String message) {
		AssistantMessage answer = answer(new DemoChatModel(), new Prompt(new UserMessage(message)));
		assertThat(answer.hasToolCalls()).isFalse();
		assertThat(answer.getText()).startsWith("Write calls of tools, one per line");
	}

	@Test
	void argumentsAreHandedOnAsTheyAre() {
		assertThat(answer(new DemoChatModel(), new Prompt("read {\"path\": ")).getToolCalls()).singleElement()
			.satisfies((call) -> {
				assertThat(call.name()).isEqualTo("read");
				assertThat(call.arguments()).isEqualTo("{\"path\":");
			});
	}

	@Test
	void scriptMakesCallsOrAnAnswerOfTheConversation() {
		DemoChatModel model = new DemoChatModel(
				(messages) -> "Tidy up".equals(messages.get(messages.size() - 1).getText()) ? "delete {\"path\": \"b\"}"
						: "%d messages".formatted(messages.size()));
		run(model, (client) -> {
			assertThat(client.prompt("Tidy up").tools(this.files).call().content())
				.isEqualTo("delete said: \"deleted b\"");
			assertThat(client.prompt()
				.messages(new UserMessage("One"), new AssistantMessage("Two"))
				.user("Three")
				.call()
				.content()).isEqualTo("3 messages");
		});
		assertThat(this.files.calls).containsExactly("delete b");
	}

	@Test
	void everyResponseNamesTheModel() {
		assertThat(new DemoChatModel().call(new Prompt("Hello")).getMetadata().getModel()).isEqualTo("demo (no AI)");
	}

	private static AssistantMessage answer(DemoChatModel model, Prompt prompt) {
		return Objects.requireNonNull(model.call(prompt).getResult()).getOutput();
	}

	private void run(DemoChatModel model, Consumer<ChatClient> test) {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean("model", DemoChatModel.class, () -> model)
			.withPropertyValues("hooks.tool_call.pre_call[0].type=policy",
					"hooks.tool_call.pre_call[0].config.deny_argument_patterns.path[0]=^/etc/")
			.run((context) -> test.accept(context.getBean(ChatClient.Builder.class).build()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Files {

		private final List<String> calls = new ArrayList<>();

		@Tool(description = "Reads a file")
		String read(String path) {
			this.calls.add("read " + path);
			return "text of " + path;
		}

		@Tool(description = "Deletes a file")
		String delete(String path) {
			this.calls.add("delete " + path);
			return "deleted " + path;
		}

	}

}
