package io.agenthooks.spring.prompt;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how data gets into a question, and does not get out of its place there.
 */
class QuestionTemplateTests {

	private static String write(String prompt, Map<String, @Nullable Object> data) {
		return new QuestionTemplate(prompt).write(data, "N", 1000);
	}

	private static String json(@Nullable Object value) {
		return new DataWriter(1000).json(value).toString();
	}

	@Test
	void placeholdersBecomeBlocksOfData() {
		ToolCall call = ToolCall.of("Bash", Map.of("command", "ls"), CallContext.empty().withAgent("coder"));
		assertThat(write("$EVENT: may $AGENT_NAME use $TOOL_NAME($TOOL_INPUT)?", JudgedData.of(call)))
			.isEqualTo("<data-N name=\"EVENT\">\"pre_tool_use\"</data-N>: may "
					+ "<data-N name=\"AGENT_NAME\">\"coder\"</data-N> use <data-N name=\"TOOL_NAME\">\"Bash\"</data-N>("
					+ "<data-N name=\"TOOL_INPUT\">{\"command\": \"ls\"}</data-N>)?");
		assertThat(write("$INPUT", JudgedData.of(call)))
			.isEqualTo("<data-N name=\"INPUT\">{\"agent_name\": \"coder\", \"event\": \"pre_tool_use\", "
					+ "\"role\": \"agent\", \"tool_input\": {\"command\": \"ls\"}, \"tool_name\": \"Bash\", "
					+ "\"user\": null, \"workspace\": \"main\"}</data-N>");
	}

	@ParameterizedTest
	@ValueSource(strings = { "$TOOL_INPUTS", "$tool_input", "$", "$$", "$5", "${X}", "$_TOOL_INPUT", "$HOME",
			"TOOL_INPUT", "$ TOOL_INPUT", "$ARGUMENTS" })
	void whatIsNoPlaceholderStaysAsItIs(String text) {
		assertThat(write("a " + text + " b", JudgedData.of(ToolCall.of("t", Map.of())))).isEqualTo("a " + text + " b");
	}

	@Test
	void dataIsPutInOnce() {
		ToolCall call = ToolCall.of("$TOOL_INPUT", Map.of("a", "$TOOL_NAME \\$0 $INPUT"));
		assertThat(write("$TOOL_NAME $TOOL_INPUT", JudgedData.of(call)))
			.isEqualTo("<data-N name=\"TOOL_NAME\">\"$TOOL_INPUT\"</data-N> "
					+ "<data-N name=\"TOOL_INPUT\">{\"a\": \"$TOOL_NAME \\\\$0 $INPUT\"}</data-N>");
	}

	@ParameterizedTest
	@CsvSource({ "3C, \\u003c", "3E, \\u003e", "26, \\u0026", "22, \\\"", "5C, \\\\", "A, \\n", "D, \\u000d",
			"0, \\u0000", "1B, \\u001b", "7F, \\u007f", "85, \\u0085", "A0, \\u00a0", "AD, \\u00ad", "34F, \\u034f",
			"200B, \\u200b", "202E, \\u202e", "2028, \\u2028", "2066, \\u2066", "2800, \\u2800", "3164, \\u3164",
			"E000, \\ue000", "FE0F, \\ufe0f", "FEFF, \\ufeff", "E0041, \\udb40\\udc41", "E0100, \\udb40\\udd00" })
	void charactersThatCouldDeceiveAreEscaped(String character, String escaped) {
		String text = "a" + Character.toString(Integer.parseInt(character, 16)) + "b";
		String json = json(text);
		assertThat(json).isEqualTo("\"a" + escaped + "b\"");
		assertThat(JsonMapper.shared().readValue(json, String.class)).isEqualTo(text);
	}

	@Test
	void halfOfASurrogatePairIsEscapedAndVisibleLettersAreNot() {
		assertThat(json("\uD83D")).isEqualTo("\"\\ud83d\"");
		assertThat(json("\uDE00\uD83D")).isEqualTo("\"\\ude00\\ud83d\"");
		assertThat(json("né 語 😀 рм")).isEqualTo("\"né 語 😀 рм\"");
	}

	@Test
	void equalDataIsTheSameTextWhateverItsOrder() {
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		data.put("b", Arrays.asList(1, null, true, new BigDecimal("1.50"), "x"));
		data.put("a", Map.of("<k>", 2L));
		assertThat(json(data)).isEqualTo("{\"a\": {\"\\u003ck\\u003e\": 2}, \"b\": [1, null, true, 1.50, \"x\"]}");
	}

	@Test
	void thereIsALimit() {
		List<Object> many = List.of("x".repeat(2000), Collections.nCopies(300, "abc"), Map.of("x".repeat(2000), "a"),
				BigInteger.ONE.shiftLeft(100_000), new BigDecimal(BigInteger.ONE.shiftLeft(100_000), 5));
		assertThat(many).allSatisfy((value) -> assertThatExceptionOfType(DataWriter.TooMuchDataException.class)
			.isThrownBy(() -> json(value)));
	}

}
