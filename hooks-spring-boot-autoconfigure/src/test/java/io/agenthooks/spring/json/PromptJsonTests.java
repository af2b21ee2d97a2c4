package io.agenthooks.spring.json;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmRole;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PromptJson}: what hooks that do not send an index back keep of a
 * message beside its text.
 */
class PromptJsonTests {

	private static final LlmMessage RULES = LlmMessage.system("Be kind.");

	private static final LlmMessage IMAGE = new LlmMessage(LlmRole.USER, "Read this", "an image");

	private static final LlmMessage QUESTION = new LlmMessage(LlmRole.USER, "What is it?", "another image");

	private static List<LlmMessage> changed(Object... messages) {
		return PromptJson.withMessages(LlmCall.of(RULES, IMAGE, QUESTION), Arrays.asList(messages)).messages();
	}

	private static Map<String, Object> message(String role, String content) {
		return Map.of("role", role, "content", content);
	}

	@Test
	void messageAtItsPlaceKeepsItsImage() {
		assertThat(changed(message("system", "Be kind."), message("user", "Read ***"), message("user", "What is it?")))
			.containsExactly(RULES, IMAGE.withText("Read ***"), QUESTION);
	}

	@Test
	void imageOfAMessageThatWasTakenOutIsGone() {
		assertThat(changed(message("system", "Be kind."), message("user", "What is it?"), message("user", "Answer.")))
			.containsExactly(RULES, QUESTION, LlmMessage.user("Answer."));
	}

	@Test
	void messagesOfTheApplicationStay() {
		assertThat(changed(message("system", "Be rude."), message("user", "Read this"), message("user", "What is it?")))
			.containsExactly(RULES, IMAGE, QUESTION);
		assertThat(changed(message("user", "What is it?"))).containsExactly(RULES, QUESTION);
	}

	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void manyMessagesAreFoundAgainInTime(int more) {
		String alike = "x".repeat(2_000);
		List<LlmMessage> said = IntStream.range(0, 15_000)
			.mapToObj((i) -> LlmMessage.user(alike + (100_000 + i)))
			.toList();
		List<Map<String, Object>> written = IntStream.range(0, 15_000 + more)
			.mapToObj((i) -> Map.<String, Object>of("role", "user", "content", alike + (200_000 + i)))
			.toList();

		assertThat(PromptJson.withMessages(LlmCall.of(said.toArray(LlmMessage[]::new)), written).messages())
			.hasSize(15_000 + more);
	}

}
