package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import dev.langchain4j.agent.tool.CompensateFor;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agentic.Agent;
import dev.langchain4j.agentic.AgenticServices;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Wherever a tool comes from, and whatever LangChain4j does with its result: its calls
 * pass the hooks, and a call that they approve goes on as without them.
 */
class AiServiceToolsTests {

	private static final ToolSpecification READ = ToolSpecification.builder()
		.name("read")
		.parameters(JsonObjectSchema.builder().addStringProperty("path").required("path").build())
		.build();

	private final Files files = new Files();

	@ParameterizedTest
	@EnumSource
	void toolsOfExecutorsPass(Way way) {
		assertGuarded(way, (service) -> service.tools(Map.of(READ, this::run)));
	}

	@ParameterizedTest
	@EnumSource
	void toolsOfProvidersPass(Way way) {
		assertGuarded(way, (service) -> service.toolProvider((request) -> provided()));
	}

	@ParameterizedTest
	@EnumSource
	void toolsOfDynamicProvidersPass(Way way) {
		assertGuarded(way, (service) -> service.toolProvider(new DynamicProvider(0)));
	}

	@ParameterizedTest
	@EnumSource
	void toolsThatADynamicProviderAddsLaterPass(Way way) {
		assertGuarded(way, (service) -> service.tools(new Clock()).toolProvider(new DynamicProvider(1)));
	}

	private void assertGuarded(Way way, Function<AiServices<Way.Assistant>, AiServices<Way.Assistant>> tools) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.inRounds(List.of(List.of(ScriptedModel.call("1", "time", "{}")),
					List.of(read("a"), read("deny"), read("modify")), List.of(ScriptedModel.call("2", "read", "{}"))));
			way.ask(tools
				.apply(way.service(model)
					.hallucinatedToolNameStrategy((call) -> ToolExecutionResultMessage.from(call, "unknown")))
				.build(), "s");
			assertThat(this.files.read).containsExactlyInAnyOrder("a", "modified");
			assertThat(model.results()).extracting(ToolExecutionResultMessage::isError)
				.containsExactly(false, false, true, false, true);
			context.getBean(Journal.class).assertEachCallEndedOnce();
			assertThat(context.getBean(Journal.class).outcomes()).hasSize(5);
		});
	}

	@ParameterizedTest
	@EnumSource
	void searchForToolsPassesAndSoDoWhatItFinds(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel
				.inRounds(List.of(List.of(ScriptedModel.call("1", "tool_search_tool", "{\"terms\":[\"reads\"]}")),
						List.of(read("a"), read("deny"))));
			way.ask(way.service(model)
				.tools(this.files)
				.toolSearchStrategy(SimpleToolSearchStrategy.builder().build())
				.build(), "s");
			assertThat(this.files.read).containsExactly("a");
			assertThat(model.results().get(0).text()).isEqualTo("Tools found: read");
			assertThat(context.getBean(Journal.class).outcomes()).extracting((outcome) -> outcome.requested().tool())
				.containsExactly("tool_search_tool", "read", "read");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "modify", "respond" })
	void resultIsReturnedImmediatelyIfTheToolSaysSo(String path) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("fetch", Map.of("path", path)));
			assertThat(Way.SYNC.ask(Way.SYNC.service(model).tools(new Immediate()).build(), "s"))
				.isEqualTo(Map.of("a", "a!", "modify", "modified!", "respond", "The answer of a hook").get(path));
			assertThat(model.timesAsked()).isOne();
		});
	}

	@Test
	void modelLearnsOfADenialAlsoIfTheToolReturnsImmediately() {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("fetch", Map.of("path", "deny")));
			assertThat(Way.SYNC.ask(Way.SYNC.service(model).tools(new Immediate()).build(), "s")).isEqualTo("Done");
			assertThat(model.results().get(0).text()).endsWith("Not this one");
		});
	}

	@Test
	void denialUndoesWhatTheApplicationWantsUndoneIfACallFails() {
		GuardedApplication.runner().run((context) -> {
			Bookings bookings = new Bookings();
			ScriptedModel model = ScriptedModel.inRounds(List.of(List.of(call("book", "flight")),
					List.of(call("book", "hotel"), ScriptedModel.call("read", Map.of("path", "deny")))));
			Way.SYNC.ask(Way.SYNC.service(model).tools(bookings, this.files).compensateOnToolErrors(true).build(), "s");
			assertThat(bookings.done).containsExactly("book flight", "book hotel", "cancel hotel", "cancel flight");
		});
	}

	@Test
	void toolMayReturnPictures() {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("draw", Map.of("path", "a")),
					ScriptedModel.call("draw", Map.of("path", "add")));
			Way.SYNC.ask(Way.SYNC.service(model).tools(new Immediate()).build(), "s");
			assertThat(model.results().get(0).contents()).singleElement().isInstanceOf(ImageContent.class);
			assertThat(model.results().get(1).contents()).hasSize(2);
			assertThat(model.results().get(1).contents().get(0)).isInstanceOf(ImageContent.class);
			assertThat(((TextContent) model.results().get(1).contents().get(1)).text()).contains("Mind the gap");
			assertThat(context.getBean(Journal.class).outcomes())
				.allSatisfy((outcome) -> assertThat(outcome.originalResult()).isNotNull()
					.extracting(ToolResult::content)
					.isEqualTo("[image]"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void resultHookReplacesWhatTheModelReads(Way way) {
		ToolResultHook hook = (call, result) -> (result.content().endsWith("a"))
				? ToolDecision.respond(ToolResult.success("Replaced")) : ToolDecision.deny("Withheld");
		GuardedApplication.runner().withBean(ToolResultHook.class, () -> hook).run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(read("a"), read("b"));
			way.ask(way.service(model).tools(this.files).build(), "s");
			assertThat(model.results().get(0).text()).isEqualTo("Replaced");
			assertThat(model.results().get(1).text()).endsWith("Withheld");
			assertThat(model.results()).extracting(ToolExecutionResultMessage::isError).containsExactly(false, true);
		});
	}

	@Test
	void resultThatIsReturnedImmediatelyIsTheReplacedOne() {
		ToolResultHook hook = (call, result) -> ToolDecision.respond(ToolResult.success("Replaced"));
		GuardedApplication.runner().withBean(ToolResultHook.class, () -> hook).run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("fetch", Map.of("path", "a")));
			assertThat(Way.SYNC.ask(Way.SYNC.service(model).tools(new Immediate()).build(), "s")).isEqualTo("Replaced");
		});
	}

	@ParameterizedTest
	@EnumSource
	void applicationStillSaysWhatTheModelReadsOfAFailure(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(read("throw"), read("b"));
			way.ask(way.service(model)
				.tools(this.files)
				.toolExecutionErrorHandler(
						(error, about) -> ToolErrorHandlerResult.text("Sorry: " + error.getMessage()))
				.build(), "s");
			assertThat(model.results().get(0).text()).isEqualTo("Sorry: The disk is on fire");
		});
	}

	@ParameterizedTest
	@EnumSource
	void applicationCannotTurnAnAbortIntoText(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(read("turn"));
			assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> way.ask(way.service(model)
				.tools(this.files)
				.toolExecutionErrorHandler((error, about) -> ToolErrorHandlerResult.text("Never mind"))
				.build(), "s"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void applicationStillListensToExecutions(Way way) {
		GuardedApplication.runner().run((context) -> {
			List<String> heard = new CopyOnWriteArrayList<>();
			ScriptedModel model = ScriptedModel.thatCalls(read("deny"));
			way.ask(way.service(model)
				.tools(this.files)
				.beforeToolExecution((before) -> heard.add("before " + before.request().name()))
				.afterToolExecution((after) -> heard.add("after " + after.hasFailed()))
				.build(), "s");
			assertThat(heard).containsExactly("before read", "after true");
		});
	}

	@ParameterizedTest
	@EnumSource
	void agentAsAToolPassesTheHooksItself(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel inner = ScriptedModel.thatCalls(read("a"), read("deny"));
			ScriptedModel outer = ScriptedModel.thatCalls(call("delegate", "reading"));
			Delegating tool = new Delegating(way, way.service(inner).tools(this.files).build());
			assertThat(way.ask(way.service(outer).tools(tool).build(), "outer")).isEqualTo("Done");
			assertThat(this.files.read).containsExactly("a");
			assertThat(outer.results()).singleElement().extracting(ToolExecutionResultMessage::text).isEqualTo("Done");
			Journal journal = context.getBean(Journal.class);
			journal.assertEachCallEndedOnce();
			assertThat(journal.outcomes()).extracting((outcome) -> outcome.requested().context().sessionId())
				.containsExactlyInAnyOrder("inner", "inner", "outer");
		});
	}

	@ParameterizedTest
	@EnumSource
	void abortOfAnAgentThatIsAToolEndsTheOuterOne(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel outer = ScriptedModel.thatCalls(call("delegate", "reading"));
			Delegating tool = new Delegating(way,
					way.service(ScriptedModel.thatCalls(read("run"))).tools(this.files).build());
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> way.ask(way.service(outer).tools(tool).build(), "outer"));
			assertThat(outer.timesAsked()).isOne();
			context.getBean(Journal.class).assertEachCallEndedOnce();
		});
	}

	@Test
	void agentsOfTheAgenticModulePass() {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel first = ScriptedModel.thatCalls(read("a"), read("deny"));
			ScriptedModel second = ScriptedModel.thatCalls(read("modify"));
			Reader agent = AgenticServices.sequenceBuilder(Reader.class)
				.subAgents(agent(first), agent(second))
				.outputKey("text")
				.build();
			assertThat(agent.read("everything")).isEqualTo("Done");
			assertThat(this.files.read).containsExactly("a", "modified");
			assertThat(first.results().get(1).text()).endsWith("Not this one");
			Journal journal = context.getBean(Journal.class);
			journal.assertEachCallEndedOnce();
			assertThat(journal.outcomes()).hasSize(3)
				.allSatisfy((outcome) -> assertThat(outcome.requested().context().agent()).isEqualTo("Reader"));
		});
	}

	@Test
	void abortEndsAnAgenticSystem() {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel second = ScriptedModel.thatCalls(read("b"));
			Reader agent = AgenticServices.sequenceBuilder(Reader.class)
				.subAgents(agent(ScriptedModel.thatCalls(read("run"))), agent(second))
				.outputKey("text")
				.build();
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> agent.read("everything"))
				.havingRootCause()
				.isInstanceOf(RunAbortedException.class);
			assertThat(second.timesAsked()).isZero();
			assertThat(this.files.read).isEmpty();
		});
	}

	private Reader agent(ScriptedModel model) {
		return AgenticServices.agentBuilder(Reader.class).chatModel(model).tools(this.files).outputKey("text").build();
	}

	private String run(ToolExecutionRequest request, Object memory) {
		return this.files.read(request.arguments().replaceAll(".*:\"|\"}", ""));
	}

	private ToolProviderResult provided() {
		return ToolProviderResult.builder().add(READ, this::run).build();
	}

	private static ToolExecutionRequest read(String path) {
		return ScriptedModel.call("read", Map.of("path", path));
	}

	private static ToolExecutionRequest call(String tool, String what) {
		return ScriptedModel.call(tool, Map.of("what", what));
	}

	public interface Reader {

		@Agent("Reads")
		@UserMessage("Read {{what}}")
		String read(@V("what") String what);

	}

	static final class Clock {

		@Tool
		String time() {
			return "noon";
		}

	}

	static final class Immediate {

		@Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
		String fetch(String path) {
			return path + "!";
		}

		@Tool
		Image draw(String path) {
			return Image.builder().base64Data("aGk=").mimeType("image/png").build();
		}

	}

	static final class Bookings {

		final List<String> done = new ArrayList<>();

		@Tool
		String book(String what) {
			this.done.add("book " + what);
			return "booked";
		}

		@CompensateFor("book")
		void cancel(String what) {
			this.done.add("cancel " + what);
		}

	}

	record Delegating(Way way, Way.Assistant assistant) {

		@Tool
		String delegate(String what) {
			return this.way.ask(this.assistant, "inner");
		}

	}

	/**
	 * Provides its tool only after it was asked some times.
	 */
	private final class DynamicProvider implements ToolProvider {

		private int times;

		DynamicProvider(int times) {
			this.times = times;
		}

		@Override
		public ToolProviderResult provideTools(ToolProviderRequest request) {
			return (this.times-- > 0) ? new ToolProviderResult(List.<AiServiceTool>of()) : provided();
		}

		@Override
		public boolean isDynamic() {
			return true;
		}

	}

}
