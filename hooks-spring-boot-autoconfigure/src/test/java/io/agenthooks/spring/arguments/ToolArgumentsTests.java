package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolArguments}.
 */
class ToolArgumentsTests {

	@Test
	void objectIsReadAsItStands() {
		assertThat(ToolArguments.parse("""
				{"text": "größer \\u2028", "count": 3, "price": 1.10, "none": null, "list": [true, {"a": "b"}]}"""))
			.containsEntry("text", "größer \u2028")
			.containsEntry("count", 3)
			.containsEntry("price", new BigDecimal("1.10"))
			.containsEntry("none", null)
			.containsEntry("list", List.of(true, Map.of("a", "b")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " \n", "{}" })
	void nothingStandsForNoArguments(String json) {
		assertThat(ToolArguments.parse(json)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "[1]|must be one JSON object", "\"text\"|must be one JSON object", "null|must be one JSON object",
					"{\"a\":1,\"a\":2}|a name stands there twice",
					"{\"a\":{\"b\":1,\"b\":1}}|a name stands there twice", "{} {}|it goes on after its end",
					"{}x|not valid JSON", "{\"a\":1|it ends too early", "{a:1}|not valid JSON",
					"{'a':1}|not valid JSON", "{\"a\":NaN}|not valid JSON",
					"{\"a\":1e400}|out of the range of a double", "{\"a\":1e-4000}|out of the range of a double",
					"{\"a\":\"\\ud83d\"}|half of a surrogate pair", "{\"\\ud83d\":1}|half of a surrogate pair" })
	void whatTwoParsersMayReadInTwoWaysIsRefused(String json, String mistake) {
		assertThatExceptionOfType(InvalidToolArgumentsException.class).isThrownBy(() -> ToolArguments.parse(json))
			.withMessageStartingWith("The arguments ")
			.withMessageContaining(mistake);
	}

	@Test
	void placeOfAMistakeIsNamed() {
		assertThatExceptionOfType(InvalidToolArgumentsException.class)
			.isThrownBy(() -> ToolArguments.parse("{\n  \"a\": 1,\n  \"a\": 2}"))
			.withMessageContaining("line 3");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"a\": hunter2}", "{\"hunter2\": 1, \"hunter2\": 2}", "{} hunter2", "{\"a\": 'hunter2'}",
			"hunter2", "{\"a\": \"hunter2" })
	void messageDoesNotRepeatTheText(String json) {
		assertThatExceptionOfType(InvalidToolArgumentsException.class).isThrownBy(() -> ToolArguments.parse(json))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("hunter2"));
	}

	@Test
	void argumentsNestedTooDeepAreRefused() {
		for (int depth : new int[] { 64, 65, 100, 1_000_000 }) {
			assertThatExceptionOfType(InvalidToolArgumentsException.class)
				.isThrownBy(() -> ToolArguments.parse("{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}"))
				.withMessageContaining("nested");
		}
		assertThat(ToolArguments.parse("{\"a\":" + "[".repeat(63) + "]".repeat(63) + "}")).containsKey("a");
	}

	@Test
	void writtenArgumentsAreReadAsTheSame() {
		Map<String, Object> arguments = Map.of("text", "a\u2028\"b\"\n", "number", new BigDecimal("0.1"));

		assertThat(ToolArguments.parse(ToolArguments.write(arguments))).isEqualTo(arguments);
	}

}
