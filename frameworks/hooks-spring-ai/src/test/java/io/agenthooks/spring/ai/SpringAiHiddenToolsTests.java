package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for tools that a policy hides from models of Spring AI.
 */
class SpringAiHiddenToolsTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private final Files files = new Files();

	private final ApplicationContextRunner application = Application.runner()
		.withBean(Hidden.class, Hidden::new)
		.withPropertyValues(ENTRY + "type=policy", ENTRY + "name=no-deletes", ENTRY + "config.deny_tools=delete*",
				ENTRY + "config.hide=true");

	@ParameterizedTest
	@EnumSource
	void modelIsNotOfferedAHiddenToolAndItsCallIsDenied(Way way) {
		Application.run(this.application, (application) -> {
			application.model().calls("delete", "{\"path\": \"a\"}");
			way.ask(application.client().prompt("Go").tools(this.files));
			assertThat(application.model().prompts()).hasSize(2)
				.allSatisfy((prompt) -> assertThat(offered(prompt)).containsExactly("read"));
			assertThat(this.files.deleted).isEmpty();
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.outcome().decidedBy()).isEqualTo("no-deletes");
			assertThat(application.model().replies()).singleElement().asString().contains("The policy denies the tool");
		});
	}

	@ParameterizedTest
	@EnumSource
	void modelIsOfferedAllToolsWithoutHide(Way way) {
		Application.run(this.application.withPropertyValues(ENTRY + "config.hide=false"), (application) -> {
			way.ask(application.client().prompt("Go").tools(this.files));
			assertThat(offered(application.model().prompts().get(0))).containsExactly("delete", "read");
		});
	}

	@ParameterizedTest
	@EnumSource
	void entryOnTrialHidesNothing(Way way) {
		Application.run(this.application.withPropertyValues(ENTRY + "mode=observe"), (application) -> {
			application.model().calls("delete", "{\"path\": \"a\"}");
			way.ask(application.client().prompt("Go").tools(this.files));
			assertThat(offered(application.model().prompts().get(0))).containsExactly("delete", "read");
			assertThat(this.files.deleted).containsExactly("a");
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolIsHiddenFromTheAgentsOfTheEntry(Way way) {
		Application.run(this.application.withPropertyValues(ENTRY + "agents=guest-*"), (application) -> {
			ChatClient client = application.client();
			for (String agent : List.of("guest-1", "admin")) {
				way.ask(client.prompt("Go")
					.tools(this.files)
					.advisors((advisors) -> advisors.param(AgentHooks.AGENT, agent)));
			}
			way.ask(client.prompt("Go").tools(this.files));
			assertThat(application.model().prompts()).extracting(SpringAiHiddenToolsTests::offered)
				.containsExactly(List.of("read"), List.of("delete", "read"), List.of("delete", "read"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void rolesOfCustomizersCountAndOneThatFailsHidesAll(Way way) {
		CallContextCustomizer customizer = (context, given) -> {
			if ("broken".equals(given.get("who"))) {
				throw new IllegalStateException("secret");
			}
			return context.withRole("admin".equals(given.get("who")) ? "admin" : "user");
		};
		Application.run(this.application.withBean(CallContextCustomizer.class, () -> customizer)
			.withPropertyValues(ENTRY + "roles=user"), (application) -> {
				for (String who : List.of("admin", "other", "broken")) {
					way.ask(application.client().prompt("Go").tools(this.files).toolContext(Map.of("who", who)));
				}
				assertThat(application.model().prompts()).extracting(SpringAiHiddenToolsTests::offered)
					.containsExactly(List.of("delete", "read"), List.of("read"), List.of());
			});
	}

	@Test
	void modelThatIsAskedDirectlyIsNotOfferedAHiddenTool() {
		Application.run(this.application.withPropertyValues("hooks.tool_call.unguarded=warn"), (application) -> {
			ChatModel model = application.chatModel();
			Prompt prompt = prompt();
			model.call(prompt);
			model.stream(prompt).blockLast();
			assertThat(application.model().prompts()).hasSize(2)
				.allSatisfy((asked) -> assertThat(offered(asked)).containsExactly("read"));
			assertThat(offered(prompt)).containsExactly("delete", "read");
			application.model().calls("delete", "{\"path\": \"a\"}");
			ChatResponse response = model.call(prompt);
			ToolResponseMessage reply = (ToolResponseMessage) application.context()
				.getBean(ToolCallingManager.class)
				.executeToolCalls(prompt, response)
				.conversationHistory()
				.get(2);
			assertThat(reply.getResponses().get(0).responseData()).contains("The policy denies the tool");
			assertThat(this.files.deleted).isEmpty();
		});
	}

	@Test
	void managerResolvesNoHiddenDefinition() {
		Application.run(this.application,
				(application) -> assertThat(
						application.context().getBean(ToolCallingManager.class).resolveToolDefinitions(options()))
					.extracting(ToolDefinition::name)
					.containsExactly("read"));
	}

	@Test
	void eachHiddenToolIsAnEventAndCountedOnce() {
		Application.run(this.application, (application) -> {
			Way.CALL.ask(application.client().prompt("Go").tools(this.files));
			Way.STREAM.ask(application.client().prompt("Go").tools(this.files));
			assertThat(application.context().getBean(Hidden.class).tools).containsExactly("delete by no-deletes",
					"delete by no-deletes");
			assertThat(application.context()
				.getBean(MeterRegistry.class)
				.get("hooks.hidden")
				.tags("hook", "no-deletes", "tool", "delete")
				.counter()
				.count()).isEqualTo(2);
			assertThat(application.outcomes()).isEmpty();
		});
	}

	private ToolCallingChatOptions options() {
		return ToolCallingChatOptions.builder().toolCallbacks(Arrays.asList(ToolCallbacks.from(this.files))).build();
	}

	private Prompt prompt() {
		return new Prompt("Go", options());
	}

	private static List<String> offered(Prompt prompt) {
		return (prompt.getOptions() instanceof ToolCallingChatOptions options && options.getToolCallbacks() != null)
				? options.getToolCallbacks()
					.stream()
					.map(ToolCallback::getToolDefinition)
					.map(ToolDefinition::name)
					.sorted()
					.toList()
				: List.of();
	}

	/**
	 * The tools of the model.
	 */
	static final class Files {

		private final List<String> deleted = new ArrayList<>();

		@Tool
		String read(String path) {
			return "Content of " + path;
		}

		@Tool
		String delete(String path) {
			this.deleted.add(path);
			return "Deleted";
		}

	}

	/**
	 * Hears which tools are hidden.
	 */
	static class Hidden {

		private final List<String> tools = new ArrayList<>();

		@EventListener
		void hear(ToolCallEvent.Hidden event) {
			this.tools.add(event.call().tool() + " by " + event.hook());
		}

	}

}
