package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for tools that a policy hides from the models of AI services.
 */
class AiServiceHiddenToolsTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private final Files files = new Files();

	private final ApplicationContextRunner application = GuardedApplication.withoutHook()
		.withPropertyValues(ENTRY + "type=policy", ENTRY + "name=no-deletes", ENTRY + "config.deny_tools=delete*",
				ENTRY + "config.hide=true");

	@ParameterizedTest
	@EnumSource
	void modelIsNotOfferedAHiddenToolAndItsCallIsDenied(Way way) {
		this.application.run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(delete());
			way.ask(way.service(model).tools(this.files).build(), "s");
			assertThat(model.requests()).hasSize(2)
				.allSatisfy((request) -> assertThat(offered(request)).containsExactly("read"));
			assertDenied(model, context.getBean(Journal.class));
		});
	}

	@ParameterizedTest
	@EnumSource
	void entryOnTrialHidesNothing(Way way) {
		this.application.withPropertyValues(ENTRY + "mode=observe").run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(delete());
			way.ask(way.service(model).tools(this.files).build(), "s");
			assertThat(offered(model.requests().get(0))).containsExactly("delete", "read");
			assertThat(this.files.deleted).containsExactly("a");
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolIsHiddenInTheSessionsOfTheEntry(Way way) {
		CallContextCustomizer roles = (context, given) -> context
			.withRole("admin".equals(context.sessionId()) ? "admin" : "user");
		this.application.withBean(CallContextCustomizer.class, () -> roles)
			.withPropertyValues(ENTRY + "roles=user")
			.run((context) -> {
				ScriptedModel model = ScriptedModel.thatCalls();
				way.ask(way.service(model).tools(this.files).build(), "admin");
				assertThat(offered(model.requests().get(0))).containsExactly("delete", "read");
				ScriptedModel other = ScriptedModel.thatCalls();
				way.ask(way.service(other).tools(this.files).build(), "guest");
				assertThat(offered(other.requests().get(0))).containsExactly("read");
			});
	}

	@ParameterizedTest
	@EnumSource
	void toolOfADynamicProviderIsHiddenAndDenied(Way way) {
		this.application.run((context) -> {
			ScriptedModel model = ScriptedModel
				.inRounds(List.of(List.of(ScriptedModel.call("read", Map.of("path", "a"))), List.of(delete())));
			way.ask(way.service(model).tools(new Reader()).toolProvider(new LateProvider(this.files)).build(), "s");
			assertThat(model.requests()).hasSize(3)
				.allSatisfy((request) -> assertThat(offered(request)).doesNotContain("delete"));
			assertThat(offered(model.requests().get(1))).containsExactly("late", "read");
			assertDenied(model, context.getBean(Journal.class));
		});
	}

	@ParameterizedTest
	@EnumSource
	void searchFindsNoHiddenTool(Way way) {
		this.application.run((context) -> {
			ScriptedModel model = ScriptedModel.inRounds(List
				.of(List.of(ScriptedModel.call("1", "tool_search_tool", "{\"terms\":[\"file\"]}")), List.of(delete())));
			way.ask(way.service(model)
				.tools(this.files)
				.toolSearchStrategy(SimpleToolSearchStrategy.builder().build())
				.build(), "s");
			assertThat(model.requests()).allSatisfy((request) -> assertThat(offered(request)).doesNotContain("delete"));
			assertThat(offered(model.requests().get(1))).contains("read");
			assertThat(model.results().get(0).text()).isEqualTo("Tools found: read");
			assertDenied(model, context.getBean(Journal.class));
		});
	}

	private void assertDenied(ScriptedModel model, Journal journal) {
		assertThat(model.results()).last()
			.satisfies((result) -> assertThat(result.text()).contains("The policy denies the tool 'delete'"));
		assertThat(journal.outcomes()).last().extracting(ToolOutcome::decidedBy).isEqualTo("no-deletes");
		assertThat(journal.events).filteredOn(ToolCallEvent.Hidden.class::isInstance)
			.isNotEmpty()
			.allSatisfy((event) -> assertThat(event.call().tool()).isEqualTo("delete"));
		assertThat(this.files.deleted).isEmpty();
	}

	private static ToolExecutionRequest delete() {
		return ScriptedModel.call("delete", Map.of("path", "a"));
	}

	private static List<String> offered(ChatRequest request) {
		return request.toolSpecifications().stream().map(ToolSpecification::name).sorted().toList();
	}

	/**
	 * The tools of the model.
	 */
	static final class Files {

		private final List<String> deleted = new ArrayList<>();

		@Tool("Reads a file")
		String read(@P("path") String path) {
			return "Content of " + path;
		}

		@Tool("Deletes a file")
		String delete(@P("path") String path) {
			this.deleted.add(path);
			return "Deleted";
		}

	}

	/**
	 * The only tool that is there from the beginning.
	 */
	static final class Reader {

		@Tool("Reads a file")
		String read(@P("path") String path) {
			return "Content of " + path;
		}

	}

	/**
	 * Has tools once the model has called one.
	 */
	private static final class LateProvider implements ToolProvider {

		private final Files files;

		private int times;

		LateProvider(Files files) {
			this.files = files;
		}

		@Override
		public ToolProviderResult provideTools(ToolProviderRequest request) {
			ToolProviderResult.Builder result = ToolProviderResult.builder();
			if (this.times++ > 0) {
				result.add(tool("late"), (call, memory) -> "late")
					.add(tool("delete"), (call, memory) -> this.files.delete("late"));
			}
			return result.build();
		}

		private static ToolSpecification tool(String name) {
			return ToolSpecification.builder()
				.name(name)
				.parameters(JsonObjectSchema.builder().addStringProperty("path").build())
				.build();
		}

		@Override
		public boolean isDynamic() {
			return true;
		}

	}

}
