package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link KeptTurn}.
 */
class KeptTurnTests {

	private static final AiMessage CALLS = AiMessage.builder()
		.text("I will")
		.thinking("Hm \u202E \" \\ \u0000")
		.toolExecutionRequests(List.of(call("1", "send"), call(null, "read")))
		.attributes(Map.of("signature", "abc"))
		.build();

	@Test
	void turnReadsAsItWasWritten() {
		List<ChatMessage> before = List.of(SystemMessage.from("Be kind"),
				UserMessage.from("Paul",
						List.of(TextContent.from("See:"), ImageContent.from("aGVsbG8=", "image/png"),
								ImageContent.from("https://example.com/a.png"))),
				AiMessage.from("Yes?"), CustomMessage.from(Map.of("kind", "note")),
				UserMessage.from("Go \uD83D\uDE00"));
		KeptTurn turn = new KeptTurn(before, CALLS,
				List.of(result("1", "send", "waits", true), result(null, "read", "", false)));
		assertThat(KeptTurn.read(turn.write())).isEqualTo(turn);
		assertThat(KeptTurn.of(turn.messages())).isEqualTo(turn);
		assertThat(turn.toString()).isEqualTo("KeptTurn[results=2]");
	}

	@Test
	void lastMessageWithCallsIsTheTurn() {
		List<ChatMessage> messages = List.of(AiMessage.from(call("0", "read")), result("0", "read", "x", false), CALLS,
				result("1", "send", "y", false));
		KeptTurn turn = KeptTurn.of(messages);
		assertThat(turn.before()).hasSize(2);
		assertThat(turn.results()).hasSize(1);
	}

	@Test
	void conversationWithoutCallsOrWithMoreBehindThemIsNoTurn() {
		assertThatIllegalStateException().isThrownBy(() -> KeptTurn.of(List.of()));
		assertThatIllegalStateException().isThrownBy(() -> KeptTurn.of(List.of(CALLS, UserMessage.from("secret"))))
			.withMessageNotContaining("secret");
	}

	@Test
	void whatJsonDoesNotTellExactlyIsNotWritten() {
		for (Object value : List.of(5L, new AtomicReference<>("secret"), new Object(), new Unwritable())) {
			UserMessage strange = UserMessage.builder()
				.contents(List.of(TextContent.from("secret")))
				.attributes(Map.of("value", value))
				.build();
			assertThatExceptionOfType(UnkeptTurnException.class)
				.isThrownBy(() -> new KeptTurn(List.of(strange), CALLS, List.of()).write())
				.withMessageNotContaining("secret")
				.withNoCause();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "secret", "null", "[]", "{}", "[{\"type\":\"USER\"}]", "[{\"type\":\"NEW\"}]" })
	void otherTextIsNotRead(String json) {
		assertThatIllegalStateException().isThrownBy(() -> KeptTurn.read(json))
			.withMessage("The turn that was kept cannot be read")
			.withNoCause();
	}

	private static ToolExecutionRequest call(@Nullable String id, String tool) {
		return ToolExecutionRequest.builder().id(id).name(tool).arguments("{\"a\": 1.0}").build();
	}

	private static ToolExecutionResultMessage result(@Nullable String id, String tool, String text, boolean failed) {
		return ToolExecutionResultMessage.builder()
			.id(id)
			.toolName(tool)
			.contents(List.of(TextContent.from(text)))
			.isError(failed)
			.build();
	}

	static final class Unwritable {

		@SuppressWarnings("unused")
		private final Unwritable self = this;

	}

}
