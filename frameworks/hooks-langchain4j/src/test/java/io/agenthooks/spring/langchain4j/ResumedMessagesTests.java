package io.agenthooks.spring.langchain4j;

import java.time.Instant;
import java.util.List;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ResumedMessages} and {@link Conversations}.
 */
class ResumedMessagesTests {

	private static final AiMessage CALLS = AiMessage.from(call("1"), call("2"), call("3"));

	private static final List<ChatMessage> BEFORE = List.of(SystemMessage.from("Be kind"), UserMessage.from("Go"));

	private static final KeptTurn TURN = new KeptTurn(BEFORE, CALLS,
			List.of(result("1", "waits q1", true), result("2", "two", false), result("3", "waits q3", true)));

	private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(100);

	@Test
	void resultIsInItsPlace() {
		ResumedMessages resumed = resumed("one", null);
		assertThat(resumed.messages()).containsExactly(BEFORE.get(0), BEFORE.get(1), CALLS, result("1", "one", false),
				result("2", "two", false), result("3", "waits q3", true));
		assertThat(resumed.isComplete()).isFalse();
		assertThat(resumed.pending()).containsExactly("q3");
		assertThat(resumed.request().id()).isEqualTo("q1");
		assertThat(resumed("one", "three").isComplete()).isTrue();
		assertThat(resumed.toString()).doesNotContain("one", "Go", "two");
	}

	@Test
	void emptyMemoryGetsTheConversation() {
		assertThat(resumed("one", null).putInto(this.memory)).isTrue();
		assertThat(this.memory.messages()).isEqualTo(resumed("one", null).messages());
		assertThat(resumed("one", "three").putInto(this.memory)).isTrue();
		assertThat(this.memory.messages()).isEqualTo(resumed("one", "three").messages());
	}

	@Test
	void resultsReplaceTheTextsInTheMemory() {
		this.memory.add(UserMessage.from("Before"));
		TURN.messages().forEach(this.memory::add);
		this.memory.add(AiMessage.from("It waits"));
		this.memory.add(UserMessage.from("And now?"));
		assertThat(resumed(null, "three").putInto(this.memory)).isTrue();
		assertThat(resumed("one", "three").putInto(this.memory)).isTrue();
		assertThat(resumed("one", "three").putInto(this.memory)).isTrue();
		assertThat(this.memory.messages()).hasSize(9);
		assertThat(this.memory.messages().subList(2, 7)).isEqualTo(resumed("one", "three").messages().subList(1, 6))
			.hasSize(5);
	}

	@Test
	void otherTurnWithTheSameIdsIsNotTouched() {
		TURN.messages().forEach(this.memory::add);
		this.memory.add(CALLS);
		List.of("1", "2", "3").forEach((id) -> this.memory.add(result(id, "other", false)));
		assertThat(resumed("one", null).putInto(this.memory)).isTrue();
		assertThat(this.memory.messages().subList(0, 6)).isEqualTo(resumed("one", null).messages());
		assertThat(this.memory.messages().get(7)).isEqualTo(result("1", "other", false));
	}

	@Test
	void memoryThatForgotTheCallsStaysAsItIs() {
		this.memory.add(UserMessage.from("Something else"));
		assertThat(resumed("one", null).putInto(this.memory)).isFalse();
		assertThat(this.memory.messages()).hasSize(1);
		this.memory.add(CALLS);
		this.memory.add(result("1", "waits q1", true));
		assertThat(resumed("one", null).putInto(this.memory)).isFalse();
		assertThat(this.memory.messages()).hasSize(3);
	}

	@Test
	void questionWithoutATurnHasNoMessages() {
		ResumedMessages resumed = new ResumedMessages(new ResumedTurn(request(),
				new SuspendedTurn("", "", List.of(new Reply("", "send", "q1", "one", false)))));
		assertThat(resumed.messages()).isEmpty();
		assertThat(resumed.isComplete()).isTrue();
		assertThat(resumed.putInto(this.memory)).isFalse();
		assertThat(this.memory.messages()).isEmpty();
	}

	@Test
	void turnWithOtherCallsThanItsMessagesIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> new ResumedMessages(new ResumedTurn(request(),
				new SuspendedTurn("langchain4j", TURN.write(), List.of(new Reply("1", "send", "q1", "one", false))))));
	}

	private static ResumedMessages resumed(@Nullable String first, @Nullable String third) {
		return new ResumedMessages(new ResumedTurn(request(),
				new SuspendedTurn("langchain4j", TURN.write(), List.of(new Reply("1", "send", "q1", first, false),
						new Reply("2", "send", null, "two", false), new Reply("3", "send", "q3", third, false)))));
	}

	private static ApprovalRequest request() {
		Instant now = Instant.EPOCH;
		return new ApprovalRequest("q1", ApprovalState.CLAIMED, 3, ToolIdentity.ofApplication("send"), "{}", "", "c",
				"s", null, null, null, "people", null, "", List.of(), now, now, 1, List.of());
	}

	private static ToolExecutionRequest call(String id) {
		return ToolExecutionRequest.builder().id(id).name("send").arguments("{}").build();
	}

	private static ToolExecutionResultMessage result(String id, String text, boolean failed) {
		return ToolExecutionResultMessage.builder()
			.id(id)
			.toolName("send")
			.contents(List.of(TextContent.from(text)))
			.isError(failed)
			.build();
	}

}
