package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.AiServices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.RunAbortedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Each invocation of an AI service is a run to the hooks, which begins and ends once.
 */
class AiServiceRunTests {

	private final List<RunOutcome> outcomes = new CopyOnWriteArrayList<>();

	private final Files files = new Files();

	@ParameterizedTest
	@EnumSource
	void runEndsOnceWithItsResultAndAllTokens(Way way) {
		application((run) -> RunDecision.approve()).run((context) -> {
			assertThat(way.ask(way.service(reading("a")).tools(this.files).build(), "s-1")).isEqualTo("Done");
			RunOutcome outcome = outcome();
			assertThat(outcome.status()).isEqualTo(RunStatus.SUCCEEDED);
			assertThat(outcome.result()).isEqualTo("Done");
			assertThat(outcome.usage()).isEqualTo(new LlmUsage(2, 2));
			AgentRun run = outcome.run();
			assertThat(run.prompt()).isEqualTo("Go");
			assertThat(run.context().sessionId()).isEqualTo("s-1");
			assertThat(run.context().agent()).isEqualTo("Assistant");
			assertThat(run.id()).isEqualTo(run.context().runId())
				.isEqualTo(context.getBean(Journal.class).outcome().effective().context().runId());
		});
	}

	@ParameterizedTest
	@EnumSource
	void runWithoutToolsIsARun(Way way) {
		application((run) -> RunDecision.approve()).run((context) -> {
			way.ask(way.service(ScriptedModel.thatCalls()).build(), "s");
			assertThat(outcome().usage()).isEqualTo(new LlmUsage(1, 1));
		});
	}

	@ParameterizedTest
	@EnumSource
	void deniedRunAsksTheModelNeverAndLeavesNothingInTheMemory(Way way) {
		MessageWindowChatMemory memory = MessageWindowChatMemory.withMaxMessages(10);
		List<RunDecision> decisions = new CopyOnWriteArrayList<>(
				List.of(RunDecision.approve(), RunDecision.deny("Not today"), RunDecision.approve()));
		ScriptedModel model = ScriptedModel.inRounds(List.of());
		ScriptedModel later = ScriptedModel.inRounds(List.of());
		application((run) -> decisions.remove(0)).run((context) -> {
			way.ask(way.service(model).chatMemoryProvider((id) -> memory).build(), "s");
			List<ChatMessage> before = memory.messages();
			assertThatExceptionOfType(RunBlockedException.class)
				.isThrownBy(() -> way.ask(way.service(later).chatMemoryProvider((id) -> memory).build(), "s"))
				.withMessage("Run blocked: Not today");
			assertThat(later.timesAsked()).isZero();
			assertThat(memory.messages()).isEqualTo(before);
			way.ask(way.service(later).chatMemoryProvider((id) -> memory).build(), "s");
			assertThat(this.outcomes).extracting(RunOutcome::status)
				.containsExactly(RunStatus.SUCCEEDED, RunStatus.DENIED, RunStatus.SUCCEEDED);
		});
	}

	@Test
	void firstRunThatIsDeniedLeavesNothingInTheMemory() {
		MessageWindowChatMemory memory = MessageWindowChatMemory.withMaxMessages(10);
		application((run) -> RunDecision.deny("Not today")).run((context) -> {
			Way.Assistant assistant = Way.SYNC.service(ScriptedModel.thatCalls())
				.chatMemoryProvider((id) -> memory)
				.build();
			assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> assistant.chat("s", "Go"));
			assertThat(memory.messages()).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void additionalContextStandsInEveryPromptOfTheRun(Way way) {
		application((run) -> RunDecision.approve().withAdditionalContext("Mind the gap")).run((context) -> {
			ScriptedModel model = reading("a");
			way.ask(way.service(model).tools(this.files).build(), "s");
			assertThat(model.requests()).hasSize(2)
				.allSatisfy((prompt) -> assertThat(prompt.messages().get(0))
					.satisfies((message) -> assertThat(((UserMessage) message).singleText()).matches(
							"Go\n\n<additional_context id=\"[0-9a-f]{32}\">\nMind the gap\n</additional_context>")));
			assertThat(outcome().run().prompt()).isEqualTo("Go");
		});
	}

	@ParameterizedTest
	@EnumSource
	void runWhoseModelFailsFailed(Way way) {
		application((run) -> RunDecision.approve()).run((context) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> way.ask(way.service(new FailingModel(), new FailingModel.Streaming()).build(), "s"))
				.withMessage("overloaded");
			assertThat(outcome().status()).isEqualTo(RunStatus.FAILED);
			assertThat(outcome().failure()).hasMessage("overloaded");
		});
	}

	@Test
	void streamWhoseErrorsAreIgnoredEnds() {
		application((run) -> RunDecision.approve()).withBean(PreLlmHook.class, () -> (call) -> LlmDecision.approve())
			.withBean(StreamingChatModel.class, FailingModel.Streaming::new)
			.run((context) -> {
				Way.STREAMING.service(new FailingModel(), context.getBean(StreamingChatModel.class))
					.build()
					.stream("s", "Go")
					.ignoreErrors()
					.start();
				assertThat(outcome().status()).isEqualTo(RunStatus.FAILED);
			});
	}

	@Test
	void streamThatNobodyStartsIsCancelledWhenItIsForgotten() {
		application((run) -> RunDecision.approve()).run((context) -> {
			Way.Assistant assistant = Way.STREAMING
				.service(ScriptedModel.thatCalls(), ScriptedModel.thatCalls().streaming())
				.build();
			assistant.stream("s", "Go");
			for (int i = 0; i < 100 && this.outcomes.isEmpty(); i++) {
				System.gc();
				assistant.stream("s", "Go");
			}
			assertThat(this.outcomes).isNotEmpty()
				.allSatisfy((outcome) -> assertThat(outcome.status()).isEqualTo(RunStatus.CANCELLED));
		});
	}

	@ParameterizedTest
	@EnumSource
	void runThatAHookAbortedAtACallOfAToolIsAborted(Way way) {
		application((run) -> RunDecision.approve()).run((context) -> {
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> way.ask(way.service(reading("run")).tools(this.files).build(), "s"));
			assertThat(outcome().status()).isEqualTo(RunStatus.ABORTED);
		});
	}

	@Test
	void agentThatIsAToolHasItsOwnRun() {
		application((run) -> RunDecision.approve()).run((context) -> {
			assertThat(askOuter(reading("a"))).isEqualTo("Done");
			assertThat(this.outcomes).extracting((outcome) -> Objects.requireNonNull(outcome.run().context().agent()))
				.containsExactly("Assistant", "Outer");
			assertThat(Stream.of(0, 1).map((i) -> this.outcomes.get(i).run().id()).distinct()).hasSize(2);
			assertThat(this.outcomes.get(0).usage()).isEqualTo(new LlmUsage(2, 2));
			assertThat(this.outcomes.get(1).usage()).isEqualTo(new LlmUsage(2, 2));
		});
	}

	@Test
	void agentThatIsAToolAndMustNotBeginIsAToolThatFailed() {
		application(
				(run) -> "Outer".equals(run.context().agent()) ? RunDecision.approve() : RunDecision.deny("Not today"))
			.run((context) -> {
				ScriptedModel inner = reading("a");
				assertThat(askOuter(inner)).isEqualTo("Done");
				assertThat(inner.timesAsked()).isZero();
				assertThat(this.outcomes).extracting(RunOutcome::status)
					.containsExactly(RunStatus.DENIED, RunStatus.SUCCEEDED);
			});
	}

	@Test
	void runsHaveHooksAlsoWhereCallsOfToolsHaveNone() {
		application((run) -> RunDecision.approve()).withPropertyValues("hooks.tool_call.enabled=false")
			.run((context) -> {
				Way.SYNC.ask(Way.SYNC.service(reading("deny")).tools(this.files).build(), "s");
				assertThat(this.files.read).containsExactly("deny");
				assertThat(outcome().status()).isEqualTo(RunStatus.SUCCEEDED);
			});
	}

	private String askOuter(ScriptedModel inner) {
		Way.Assistant tool = Way.SYNC.service(inner).tools(this.files).build();
		return AiServices.builder(Outer.class)
			.chatModel(ScriptedModel.thatCalls(ScriptedModel.call("delegate", Map.of("task", "Go"))))
			.tools(new Delegate(tool))
			.build()
			.chat("Go");
	}

	private RunOutcome outcome() {
		assertThat(this.outcomes).hasSize(1);
		return this.outcomes.get(0);
	}

	private ApplicationContextRunner application(PreRunHook hook) {
		return GuardedApplication.runner()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean("pre", PreRunHook.class, () -> hook)
			.withBean("post", PostRunHook.class, () -> this.outcomes::add);
	}

	private static ScriptedModel reading(String path) {
		ToolExecutionRequest call = ScriptedModel.call("read", Map.of("path", path));
		return ScriptedModel.thatCalls(call);
	}

	interface Outer {

		String chat(String text);

	}

	/**
	 * An agent as a tool.
	 */
	static final class Delegate {

		private final Way.Assistant agent;

		Delegate(Way.Assistant agent) {
			this.agent = agent;
		}

		@Tool("Delegates a task")
		String delegate(String task) {
			return this.agent.chat("inner", task);
		}

	}

	/**
	 * A model that cannot answer.
	 */
	private static final class FailingModel implements ChatModel {

		@Override
		public ChatResponse doChat(ChatRequest prompt) {
			throw new IllegalStateException("overloaded");
		}

		/**
		 * The same, streaming.
		 */
		static final class Streaming implements StreamingChatModel {

			@Override
			public void doChat(ChatRequest prompt, StreamingChatResponseHandler listener) {
				listener.onError(new IllegalStateException("overloaded"));
			}

		}

	}

}
