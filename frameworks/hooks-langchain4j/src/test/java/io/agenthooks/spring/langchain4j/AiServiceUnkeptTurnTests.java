package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.toolcall.TurnAbortedException;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for turns of AI services that end or go on although calls of them should wait for
 * people.
 */
class AiServiceUnkeptTurnTests {

	private final SuspendingApplication application = new SuspendingApplication();

	@ParameterizedTest
	@EnumSource
	void questionsOfATurnThatEndsOtherwiseAreCancelled(Way way) {
		this.application.suspending().run((context) -> {
			assertThatExceptionOfType(TurnAbortedException.class).isThrownBy(() -> this.application.ask(way,
					ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"), SuspendingApplication.read("turn"))));
			assertThat(this.application.turns.cancelled).containsExactly("q-wait-1");
			assertThat(this.application.turns.kept).isEmpty();
			this.application.memories.clear();
			Way.Assistant assistant = this.application
				.service(way,
						ScriptedModel.thatCalls(SuspendingApplication.read("wait-2"),
								SuspendingApplication.read("throw")))
				.tools(this.application.files)
				.toolExecutionErrorHandler((error, errorContext) -> {
					throw new UnsupportedOperationException("The handler gives up");
				})
				.build();
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> way.ask(assistant, "s"));
			assertThat(this.application.turns.cancelled).containsExactly("q-wait-1", "q-wait-2");
			assertThat(this.application.turns.kept).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void turnThatCannotBeStoredEndsAndItsMemorySaysThatNothingWaits(Way way) {
		this.application.suspending().run((context) -> {
			this.application.turns.away = true;
			assertThatIllegalStateException()
				.isThrownBy(() -> this.application.ask(way,
						ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"), SuspendingApplication.read("a"))))
				.withMessage("The store is away");
			assertThat(SuspendingApplication.texts(this.application.memory("s").messages()))
				.containsExactly("This call needs the approval of a person, and its turn could not be kept until then. "
						+ "It has not run.", "Content of a");
			assertThat(this.application.turns.cancelled).containsExactly("q-wait-1");
		});
	}

	@ParameterizedTest
	@EnumSource
	void turnWhoseCallsTheMemoryForgotIsNotKept(Way way) {
		this.application.window = 2;
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"),
					SuspendingApplication.read("a"), SuspendingApplication.read("b"));
			if (way == Way.SYNC || way == Way.CONCURRENT) {
				// The memory is not needed to know the turn.
				SuspendingApplication.pending(() -> this.application.ask(way, model));
				return;
			}
			assertThatIllegalStateException().isThrownBy(() -> this.application.ask(way, model));
			assertThat(this.application.turns.kept).isEmpty();
			assertThat(this.application.turns.cancelled).containsExactly("q-wait-1");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callIsDeniedInPlaceIfTheConversationCannotBeWritten(Way way) {
		this.application.suspending().run((context) -> {
			UserMessage strange = UserMessage.builder()
				.contents(List.of(TextContent.from("Hello")))
				.attributes(Map.of("at", 5L))
				.build();
			this.application.memory("s").add(strange);
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"),
					SuspendingApplication.read("a"));
			assertThat(this.application.ask(way, model)).isEqualTo("Done");
			assertThat(model.results().get(0).text())
				.isEqualTo("This call needs the approval of a person, and cannot wait for it: a message of the "
						+ "conversation has something that JSON does not tell exactly");
			assertThat(this.application.turns.cancelled).containsExactly("q-wait-1");
			assertThat(this.application.turns.kept).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void callIsDeniedInPlaceIfTheConversationIsTooLarge(Way way) {
		this.application.suspending().run((context) -> {
			this.application.memory("s").add(UserMessage.from("x".repeat(SuspendedTurn.MAX_LENGTH)));
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"));
			assertThat(this.application.ask(way, model)).isEqualTo("Done");
			assertThat(model.results().get(0).text()).contains("the conversation is larger than 2000000 characters");
			assertThat(this.application.turns.cancelled).containsExactly("q-wait-1");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callIsDeniedInPlaceIfItsToolNeedsMoreThanTheCall(Way way) {
		this.application.suspending().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.call("remember", "wait-1"),
					SuspendingApplication.call("inspect", "wait-2"));
			Way.Assistant assistant = this.application.service(way, model).tools(new Curious()).build();
			SuspendingApplication.pending(() -> way.ask(assistant, "s"));
			assertThat(this.application.turns.only().replies()).extracting(Reply::text)
				.containsExactly(null,
						"This call needs the approval of a person, and cannot wait for it: the tool uses "
								+ "what is known only during the invocation");
			assertThat(this.application.turns.cancelled).containsExactly("q-wait-2");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callIsDeniedInPlaceIfItWouldBeResumedByTheToolOfAnotherService(Way way) {
		this.application.suspending()
			.withBean("everybody's", Way.Assistant.class,
					() -> way.service(ScriptedModel.thatCalls()).tools(this.application.files).build())
			.run((context) -> {
				ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"));
				assertThat(this.application.ask(way, model)).isEqualTo("Done");
				assertThat(model.results().get(0).text())
					.endsWith("cannot wait for it: another service of this name has such a tool, too");
				assertThat(this.application.turns.cancelled).containsExactly("q-wait-1");
			});
	}

	@ParameterizedTest
	@EnumSource
	void turnEndsWithoutMoreIfNothingKeepsIt(Way way) {
		this.application.withoutStore().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(SuspendingApplication.read("wait-1"),
					SuspendingApplication.read("a"));
			assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> this.application.ask(way, model))
				.satisfies((ex) -> assertThat(ex.getApprovalId()).isEqualTo("q-wait-1"));
			assertThat(model.timesAsked()).isOne();
			assertThat(context).doesNotHaveBean(LangChain4jApprovals.class).doesNotHaveBean(AiServiceTools.class);
		});
	}

	@Test
	void memoryThatGoesOnIsNotCompleted() {
		MessageWindowChatMemory memory = MessageWindowChatMemory.withMaxMessages(10);
		memory.add(AiMessage.from(SuspendingApplication.read("a")));
		memory.add(UserMessage.from("Something else"));
		Conversations.complete(memory, List.of(), "text");
		assertThat(memory.messages()).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5 })
	void memoryHasNoResultsWithoutTheirCallsWhateverItsWindow(int size) {
		MessageWindowChatMemory memory = MessageWindowChatMemory.withMaxMessages(size);
		memory.add(UserMessage.from("Read"));
		memory.add(AiMessage.from(SuspendingApplication.read("a"), SuspendingApplication.read("b"),
				SuspendingApplication.read("c")));
		Conversations.complete(memory, List.of(), "text");
		List<ChatMessage> messages = memory.messages();
		long results = messages.stream().filter(ToolExecutionResultMessage.class::isInstance).count();
		assertThat(results).isEqualTo((messages.stream().anyMatch(AiMessage.class::isInstance)) ? 3 : 0);
		memory.add(UserMessage.from("Go on"));
		assertThat(memory.messages().get(0)).isNotInstanceOf(ToolExecutionResultMessage.class);
	}

	@SuppressWarnings("DoNotCallSuggester") // only the model calls it, and must not reach
											// it
	static final class Curious {

		@Tool
		String remember(String path, @ToolMemoryId String memory) {
			throw new IllegalStateException("It ran");
		}

		@Tool
		String inspect(@P("path") String path, InvocationContext invocation) {
			throw new IllegalStateException("It ran");
		}

	}

}
