package io.agenthooks.spring.langchain4j;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import dev.langchain4j.agent.tool.CompensateFor;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;

import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.TurnAbortedException;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for turns of AI services that end because calls wait for people:
 * {@link PendingCalls} and {@link GuardedToolService}.
 */
class AiServiceSuspendTests {

	private final SuspendingApplication application = new SuspendingApplication();

	@ParameterizedTest
	@EnumSource
	void otherCallsOfTheBatchRunAndTheTurnIsKept(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("a"),
					SuspendingApplication.read("wait-1"), SuspendingApplication.read("deny"),
					SuspendingApplication.read("b"));
			ApprovalPendingException pending = SuspendingApplication.pending(() -> this.application.ask(way, model));
			assertThat(pending.approvalIds()).containsExactly("q-wait-1");
			assertThat(pending).hasMessageNotContaining("wait-1]");
			assertThat(this.application.files.read).containsExactlyInAnyOrder("a", "b");
			assertThat(model.timesAsked()).isOne();
			SuspendedTurn turn = this.application.turns.only();
			assertThat(turn.format()).isEqualTo("langchain4j");
			assertThat(turn.replies()).containsExactly(new Reply("call-[a]", "read", null, "Content of a", false),
					new Reply("call-[wait-1]", "read", "q-wait-1", null, false),
					new Reply("call-[deny]", "read", null, "Tool call denied by hook 'by-path': Not this one", true),
					new Reply("call-[b]", "read", null, "Content of b", false));
			assertThat(context.getBean(Journal.class).outcomes()).extracting(ToolOutcome::status)
				.containsExactlyInAnyOrder(ToolCallStatus.SUCCEEDED, ToolCallStatus.PENDING, ToolCallStatus.DENIED,
						ToolCallStatus.SUCCEEDED);
			assertThat(this.application.turns.cancelled).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void callThatWaitsMayBeTheFirstTheLastOrEach(Way way) {
		this.application.suspending().run((context) -> {
			for (List<String> paths : List.of(List.of("wait-1"), List.of("wait-1", "a"), List.of("a", "wait-1"),
					List.of("wait-1", "wait-2"), List.of("wait-1", "a", "wait-2"))) {
				this.application.memories.clear();
				this.application.turns.kept.clear();
				ScriptedModel model = ScriptedModel
					.thatCalls(paths.stream().map(SuspendingApplication::read).toArray(ToolExecutionRequest[]::new));
				assertThat(SuspendingApplication.pending(() -> this.application.ask(way, model)).approvalIds())
					.containsExactlyElementsOf(paths.stream()
						.filter((path) -> path.startsWith("wait"))
						.map((path) -> "q-" + path)
						.toList());
				assertThat(this.application.turns.only().replies()).extracting(Reply::callId)
					.containsExactlyElementsOf(paths.stream().map((path) -> "call-[" + path + "]").toList());
				assertThat(model.timesAsked()).isOne();
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void eachCallInTheMemoryHasAResultAndTheConversationGoesOn(Way way) {
		this.application.suspending().run((context) -> {
			Way.Assistant assistant = this.application
				.service(way,
						ScriptedModel.inRounds(List.of(List.of(SuspendingApplication.read("a"),
								SuspendingApplication.read("wait-1"), SuspendingApplication.read("b")))))
				.tools(this.application.files)
				.build();
			SuspendingApplication.pending(() -> way.ask(assistant, "s"));
			List<ChatMessage> messages = this.application.memory("s").messages();
			assertThat(messages).hasSize(5);
			assertThat(messages.get(1)).isInstanceOf(AiMessage.class);
			assertThat(SuspendingApplication.texts(messages)).containsExactly("Content of a",
					"This call waits for the approval of a person (request q-wait-1). It has not run.", "Content of b");
			assertThat(way.ask(assistant, "s")).isEqualTo("Done");
			assertThat(this.application.memory("s").messages()).startsWith(messages.toArray(ChatMessage[]::new))
				.hasSize(7);
		});
	}

	@ParameterizedTest
	@EnumSource
	void keptMessagesAreWhatTheModelReadAndItsCalls(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.inRounds(List.of(List.of(SuspendingApplication.read("first")),
					List.of(SuspendingApplication.read("wait-1"), SuspendingApplication.read("b"))));
			SuspendingApplication.pending(() -> this.application.ask(way, model));
			KeptTurn turn = KeptTurn.read(this.application.turns.only().messages());
			assertThat(turn.before()).isEqualTo(model.requests().get(1).messages()).hasSize(3);
			assertThat(turn.answer().toolExecutionRequests()).containsExactly(SuspendingApplication.read("wait-1"),
					SuspendingApplication.read("b"));
			assertThat(turn.results()).extracting(ToolExecutionResultMessage::id)
				.containsExactly("call-[wait-1]", "call-[b]");
			assertThat(turn.toString()).doesNotContain("first");
		});
	}

	@ParameterizedTest
	@EnumSource
	void serviceWithoutMemorySuspendsToo(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("a"),
					SuspendingApplication.read("wait-1"));
			AiServices<Plain> service = AiServices.builder(Plain.class)
				.chatModel(model)
				.streamingChatModel(model.streaming())
				.tools(this.application.files);
			SuspendingApplication.pending(() -> way.ask(asAssistant(service.build()), "s"));
			assertThat(KeptTurn.read(this.application.turns.only().messages()).before())
				.containsExactly(UserMessage.from("Go"));
			assertThat(this.application.turns.only().replies()).hasSize(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolThatReturnsImmediatelyDoesNotReturnBeforeItRan(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"));
			Way.Assistant assistant = this.application.service(way, model).tools(new ImmediateFiles()).build();
			assertThat(SuspendingApplication.pending(() -> way.ask(assistant, "s")).approvalIds())
				.containsExactly("q-wait-1");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "CONCURRENT" })
	void nothingIsUndoneWhileACallWaits(Way way) {
		this.application.suspending().run((context) -> {
			Bookings bookings = new Bookings();
			for (List<String> paths : List.of(List.of("a", "wait-1"), List.of("wait-1", "fail", "a"))) {
				ScriptedModel model = ScriptedModel.thatCalls(paths.stream()
					.map((path) -> SuspendingApplication.call("book", path))
					.toArray(ToolExecutionRequest[]::new));
				Way.Assistant assistant = this.application.service(way, model)
					.tools(bookings)
					.compensateOnToolErrors(true)
					.build();
				this.application.memories.clear();
				SuspendingApplication.pending(() -> way.ask(assistant, "s"));
			}
			assertThat(bookings.booked).containsExactly("a", "a");
			assertThat(bookings.undone).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void sameCallTwiceInABatch(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"),
					SuspendingApplication.read("wait-1"), SuspendingApplication.read("a"),
					SuspendingApplication.read("a"));
			assertThat(SuspendingApplication.pending(() -> this.application.ask(way, model)).approvalIds())
				.containsExactly("q-wait-1");
			assertThat(this.application.turns.only().replies()).extracting(Reply::approvalId)
				.containsExactly("q-wait-1", "q-wait-1", null, null);
		});
	}

	@ParameterizedTest
	@EnumSource
	void unknownToolInTheBatchDoesNotKeepTheTurnFromBeingKept(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"),
					SuspendingApplication.call("invented", "x"));
			Way.Assistant assistant = this.application.service(way, model)
				.tools(this.application.files)
				.hallucinatedToolNameStrategy((request) -> ToolExecutionResultMessage.from(request, "No such tool"))
				.build();
			SuspendingApplication.pending(() -> way.ask(assistant, "s"));
			assertThat(this.application.turns.only().replies()).extracting(Reply::text)
				.containsExactly(null, "No such tool");
			assertThat(SuspendingApplication.texts(this.application.memory("s").messages())).hasSize(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void agentInsideAToolEndsTheTurnOfTheOuterOneToo(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel inner = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"),
					SuspendingApplication.read("a"));
			Plain agent = AiServices.builder(Plain.class).chatModel(inner).tools(this.application.files).build();
			ScriptedModel outer = ScriptedModel.thatCalls(SuspendingApplication.read("b"),
					SuspendingApplication.call("delegate", "task"), SuspendingApplication.read("c"));
			Way.Assistant assistant = this.application.service(way, outer)
				.tools(this.application.files, new Delegation(agent))
				.build();
			assertThat(SuspendingApplication.pending(() -> way.ask(assistant, "s")).approvalIds())
				.containsExactly("q-wait-1");
			assertThat(this.application.turns.only().replies()).extracting(Reply::callId)
				.containsExactly("call-[wait-1]", "call-[a]");
			assertThat(outer.timesAsked()).isOne();
			List<ChatMessage> messages = this.application.memory("s").messages();
			assertThat(SuspendingApplication.texts(messages)).hasSize(3).first().isEqualTo("Content of b");
			assertThat(SuspendingApplication.texts(messages).get(1)).contains("was not finished", "q-wait-1");
			assertThat(way.ask(assistant, "s")).isEqualTo("Done");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callInsideAToolIsNotTheCallOfTheTool(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel outer = ScriptedModel.thatCalls(SuspendingApplication.call("delegate", "task"));
			Way.Assistant assistant = this.application.service(way, outer).tools(new Delegation((text) -> {
				throw suspended(context.getBean(ToolHookChain.class));
			})).build();
			assertThat(SuspendingApplication.pending(() -> way.ask(assistant, "s")).approvalIds())
				.containsExactly("q-wait-inside");
			assertThat(this.application.turns.kept).isEmpty();
		});
	}

	/**
	 * LangChain4j does not wait for the calls beside one that failed.
	 */
	@Test
	void nobodyIsAskedAboutACallOfATurnThatIsOver() {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("turn"),
					SuspendingApplication.read("wait-late"));
			assertThatExceptionOfType(TurnAbortedException.class)
				.isThrownBy(() -> this.application.ask(Way.CONCURRENT, model));
			this.application.turnIsOver.countDown();
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(this.application.turns.cancelled).containsExactly("q-wait-late"));
			assertThat(this.application.turns.kept).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void callsAfterAGuardrailAskedAgainMayWait(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = new ScriptedModel(List.of(AiMessage.from("Bad"),
					AiMessage.from(SuspendingApplication.read("a"), SuspendingApplication.read("wait-1")),
					AiMessage.from("Done")));
			Way.Assistant assistant = this.application.service(way, model)
				.tools(this.application.files)
				.outputGuardrails(new NothingBad())
				.build();
			assertThat(SuspendingApplication.pending(() -> way.ask(assistant, "s")).approvalIds())
				.containsExactly("q-wait-1");
			assertThat(this.application.turns.only().replies()).hasSize(2);
			assertThat(model.timesAsked()).isEqualTo(2);
			assertThat(way.ask(assistant, "s")).isEqualTo("Done");
		});
	}

	@ParameterizedTest
	@EnumSource
	void runEndsAsPending(Way way) {
		List<RunOutcome> outcomes = new CopyOnWriteArrayList<>();
		PostRunHook hook = outcomes::add;
		this.application.suspending()
			.withConfiguration(
					AutoConfigurations.of(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean(PostRunHook.class, () -> hook)
			.run((context) -> {
				SuspendingApplication.pending(
						() -> this.application.ask(way, ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"))));
				assertThat(outcomes).extracting(RunOutcome::status).containsExactly(RunStatus.PENDING);
			});
	}

	private static TurnSuspendedException suspended(ToolHookChain chain) {
		return catchThrowableOfType(TurnSuspendedException.class,
				() -> chain.execute(ToolCall.of("read", Map.of("path", "wait-inside")), (call) -> {
					throw new IllegalStateException("It ran");
				}));
	}

	private static Way.Assistant asAssistant(Plain plain) {
		return new Way.Assistant() {

			@Override
			public String chat(String session, String text) {
				return plain.chat(text);
			}

			@Override
			public TokenStream stream(String session, String text) {
				return plain.stream(text);
			}

		};
	}

	interface Plain {

		String chat(String text);

		TokenStream stream(String text);

	}

	static final class NothingBad implements OutputGuardrail {

		@Override
		public OutputGuardrailResult validate(AiMessage answer) {
			return ("Bad".equals(answer.text())) ? reprompt("It is bad", "Try again") : success();
		}

	}

	@SuppressWarnings("DoNotCallSuggester") // only the model calls it, and must not reach
											// it
	static final class ImmediateFiles {

		@Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
		String read(String path) {
			throw new IllegalStateException("It ran");
		}

	}

	static final class Bookings {

		final List<String> booked = new CopyOnWriteArrayList<>();

		final List<String> undone = new CopyOnWriteArrayList<>();

		@Tool
		String book(String path) {
			if (path.equals("fail")) {
				throw new IllegalStateException("Full");
			}
			this.booked.add(path);
			return "Booked " + path;
		}

		@CompensateFor("book")
		void undo(String path) {
			this.undone.add(path);
		}

	}

	record Delegation(UnaryOperator<String> agent) {

		Delegation(Plain agent) {
			this((UnaryOperator<String>) agent::chat);
		}

		@Tool
		String delegate(String path) {
			return this.agent.apply(path);
		}

	}

}
