package io.agenthooks.spring.langchain4j;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.UserMessage;
import org.junit.jupiter.api.Test;

import io.agenthooks.spring.suspend.SuspendedTurn;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PendingCalls}; see {@link AiServiceSuspendTests} for what it does to
 * turns.
 */
class PendingCallsTests {

	private final PendingCalls calls = new PendingCalls();

	@Test
	void conversationIsWrittenOnceHoweverManyCallsWait() {
		AtomicInteger reads = new AtomicInteger();
		this.calls.ask(counted(reads, UserMessage.from("Go")));
		assertThat(this.calls.objection()).isNull();
		int once = reads.get();
		assertThat(once).isPositive();
		for (int i = 0; i < 100; i++) {
			assertThat(this.calls.objection()).isNull();
		}
		assertThat(reads).hasValue(once);
	}

	@Test
	void conversationOfTheNextTurnIsLookedAtAnew() {
		this.calls.ask(List.of(UserMessage.from("x".repeat(SuspendedTurn.MAX_LENGTH))));
		assertThat(this.calls.objection()).contains("is larger than 2000000 characters");
		assertThat(this.calls.objection()).contains("is larger than 2000000 characters");
		this.calls.ask(List.of(UserMessage.from("Go")));
		assertThat(this.calls.objection()).isNull();
		this.calls.ask(List.of(CustomMessage.from(Map.of("object", new Object()))));
		assertThat(this.calls.objection()).contains("a message of the conversation");
	}

	private static List<ChatMessage> counted(AtomicInteger reads, ChatMessage message) {
		return new AbstractList<>() {

			@Override
			public ChatMessage get(int index) {
				reads.incrementAndGet();
				return message;
			}

			@Override
			public int size() {
				return 1;
			}

		};
	}

}
