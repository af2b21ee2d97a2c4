package io.agenthooks.spring.ai;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeTypeUtils;

import io.agenthooks.spring.ai.ConversationJson.Conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ConversationJson}.
 */
class ConversationJsonTests {

	private static final AssistantMessage.ToolCall CALL = new AssistantMessage.ToolCall("call-1", "function", "pay",
			"{\"amount\": 1.00,  \"to\":\"Zoë\"}");

	private static AssistantMessage calling(AssistantMessage.ToolCall... calls) {
		return AssistantMessage.builder().content("").toolCalls(Arrays.asList(calls)).build();
	}

	private static List<Message> again(Message... messages) {
		List<Message> written = List.of(messages);
		assertThat(ConversationJson.problem(written)).isNull();
		return ConversationJson.read(ConversationJson.write(written, false)).messages();
	}

	@Test
	void everyKindOfMessageComesBackAsItWas() {
		Message[] messages = { new SystemMessage("Be kind"), new UserMessage("Pay \"Zoë\"\n"),
				calling(CALL, new AssistantMessage.ToolCall("", "function", "find", "")),
				ToolResponseMessage.builder()
					.responses(
							List.of(new ToolResponse("call-1", "pay", "\u2028paid"), new ToolResponse("", "find", "")))
					.build(),
				new AssistantMessage("Done") };
		assertThat(again(messages)).containsExactly(messages)
			.extracting(Object::getClass)
			.containsExactlyElementsOf(Arrays.stream(messages).map(Object::getClass).toList());
	}

	@Test
	void everyCharacterComesBackEvenHalfAPair() {
		StringBuilder text = new StringBuilder();
		IntStream.rangeClosed(0, Character.MAX_VALUE).forEach((character) -> text.append((char) character));
		assertThat(again(new UserMessage(text.toString())).get(0).getText()).isEqualTo(text.toString());
	}

	@Test
	@SuppressWarnings("NullAway") // providers leave things out
	void whatAProviderDidNotSayStaysUnsaid() {
		AssistantMessage.ToolCall call = new AssistantMessage.ToolCall(null, null, "pay", null);
		AssistantMessage message = AssistantMessage.builder().content(null).toolCalls(List.of(call)).build();
		assertThat(again(message)).containsExactly(message);
	}

	@Test
	void plainMetadataComesBack() {
		Map<String, Object> metadata = Map.of("id", "m1", "index", 0, "share", 0.5, "last", true, "tags",
				List.of("a", Map.of("bytes", "no bytes")), "map", Map.of("map", Map.of()));
		AssistantMessage message = AssistantMessage.builder().content("Done").properties(metadata).build();
		assertThat(again(message)).containsExactly(message);
	}

	@Test
	void signaturesOfThoughtsComeBack() {
		AssistantMessage message = AssistantMessage.builder()
			.content("")
			.properties(Map.of("thoughtSignatures", List.of(new byte[] { 1, -1 })))
			.build();
		assertThat(again(message).get(0).getMetadata().get("thoughtSignatures"))
			.asInstanceOf(InstanceOfAssertFactories.list(byte[].class))
			.containsExactly(new byte[] { 1, -1 });
	}

	@Test
	void otherMetadataIsLeftOut() {
		AssistantMessage message = AssistantMessage.builder()
			.content("Done")
			.properties(Map.of("role", Thread.State.NEW, "number", Double.NaN, "deep", nested(20), "id", "m1"))
			.build();
		assertThat(again(message))
			.containsExactly(AssistantMessage.builder().content("Done").properties(Map.of("id", "m1")).build());
	}

	private static Object nested(int levels) {
		return (levels == 0) ? "end" : List.of(nested(levels - 1));
	}

	@Test
	void mediaIsAProblem() {
		UserMessage picture = UserMessage.builder()
			.text("Look")
			.media(new Media(MimeTypeUtils.IMAGE_PNG, URI.create("https://example.com/a.png")))
			.build();
		assertThat(ConversationJson.problem(List.of(new UserMessage("Hello"), picture))).isEqualTo("it holds media");
	}

	@Test
	void messageOfAnotherTypeIsAProblem() {
		assertThat(ConversationJson.problem(List.of(new ReasoningMessage())))
			.isEqualTo("it holds a message of the type ReasoningMessage");
	}

	@Test
	void signedReasoningThatCannotBeKeptIsAProblem() {
		AssistantMessage message = AssistantMessage.builder()
			.content("")
			.properties(Map.of("anthropicThinkingContents", List.of(new Object())))
			.build();
		assertThat(ConversationJson.problem(List.of(message))).isEqualTo("it holds the signed reasoning of the model");
	}

	@Test
	void saysWhetherTheResultsAreTheAnswer() {
		assertThat(ConversationJson.read(ConversationJson.write(List.of(), true)).returnDirect()).isTrue();
		assertThat(ConversationJson.read(ConversationJson.write(List.of(), false)).returnDirect()).isFalse();
	}

	@Test
	void saysNothingOfTheConversationInATextOfItsOwn() {
		Conversation conversation = ConversationJson
			.read(ConversationJson.write(List.of(new UserMessage("secret")), false));
		assertThat(conversation).hasToString("Conversation[messages=1]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[]", "{}", "{\"messages\":1}", "{\"messages\":[1]}",
			"{\"messages\":[{\"type\":\"secret\"}]}", "{\"messages\":[{\"type\":\"user\",\"text\":1}]}",
			"{\"messages\":[{\"type\":\"assistant\"}]}", "{\"messages\":[],\"messages\":[]}" })
	void otherTextIsRefusedAndNotQuoted(String json) {
		assertThatIllegalStateException().isThrownBy(() -> ConversationJson.read(json))
			.withMessage("The conversation that was kept cannot be read")
			.withNoCause();
	}

	private static final class ReasoningMessage extends AssistantMessage {

		ReasoningMessage() {
			super("");
		}

	}

}
