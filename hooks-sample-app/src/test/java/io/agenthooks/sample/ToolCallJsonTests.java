package io.agenthooks.sample;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolCallJson}.
 */
class ToolCallJsonTests {

	@Test
	void readGivesCall() {
		ToolCall call = read("""
				{"tool_name": "read_file", "arguments": {"path": "a.txt", "none": null, "list": [true, {}]},
				 "session_id": "s1"}
				""");
		assertThat(call.tool()).isEqualTo("read_file");
		assertThat(call.arguments()).containsOnlyKeys("path", "none", "list").containsEntry("none", null);
		assertThat(call.arguments().get("list")).isEqualTo(Arrays.asList(true, Map.of()));
		assertThat(call.context().sessionId()).isEqualTo("s1");
	}

	@Test
	void readWhenSessionIsMissingOrNullGivesCallWithoutSession() {
		assertThat(read("{\"tool_name\":\"t\",\"arguments\":{}}").context().sessionId()).isNull();
		assertThat(read("{\"tool_name\":\"t\",\"arguments\":{},\"session_id\":null}").context().sessionId()).isNull();
	}

	@Test
	void readTakesWhoCallsAndWhere() {
		CallContext context = read(
				"""
						{"tool_name": "t", "arguments": {}, "session_id": "s", "run_id": "r1", "user": "ann", "agent": "planner",
						 "role": "reviewer", "workspace": "staging"}
						""")
			.context();
		assertThat(context).isEqualTo(CallContext.ofSession("s")
			.withRunId("r1")
			.withUser("ann")
			.withAgent("planner")
			.withRole("reviewer")
			.withWorkspace("staging"));
	}

	@Test
	void readWhenContextIsMissingOrNullGivesDefaults() {
		assertThat(read("{\"tool_name\":\"t\",\"arguments\":{},\"agent\":null,\"role\":null,\"workspace\":null}")
			.context()).isEqualTo(CallContext.empty());
	}

	@Test
	void readKeepsNumbersExactly() {
		assertThat(read("{\"tool_name\":\"t\",\"arguments\":{\"a\":7,\"b\":123456789012345678901234567890,"
				+ "\"c\":0.10000000000000000000000000001,\"d\":-1.50,\"e\":1e300,\"f\":0.0}}")
			.arguments()).containsEntry("a", 7)
			.containsEntry("b", new BigInteger("123456789012345678901234567890"))
			.containsEntry("c", new BigDecimal("0.10000000000000000000000000001"))
			.containsEntry("d", new BigDecimal("-1.50"))
			.containsEntry("e", new BigDecimal("1e300"))
			.containsEntry("f", new BigDecimal("0.0"));
	}

	@Test
	void readWhenToolNameIsEmptyLeavesItToTheHooks() { // P09
		assertThat(read("{\"tool_name\":\"\",\"arguments\":{}}").tool()).isEmpty();
	}

	@Test
	void readWhenArgumentsAreAsDeepAsAllowedGivesCall() {
		assertThat(read(nested(64)).arguments()).isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource
	void readWhenTextIsNotOneCallIsRefused(String json, String message) {
		assertThatExceptionOfType(InvalidCallException.class).isThrownBy(() -> read(json))
			.withMessageContaining(message);
	}

	static Stream<Arguments> readWhenTextIsNotOneCallIsRefused() {
		return Stream.of(Arguments.of("", "The body must be one JSON object"),
				Arguments.of("{", "The body must be one JSON object"),
				Arguments.of("null", "The body must be one JSON object"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{},\"role\":1}", "'role' must be a string"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{},\"agent\":[]}", "'agent' must be a string"),
				Arguments.of("[]", "The body must be one JSON object"),
				Arguments.of("\"x\"", "The body must be one JSON object"),
				Arguments.of("{'tool_name':'t','arguments':{}}", "line 1, column 2"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{},}", "The body must be one JSON object"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{}} x", "The body must be one JSON object"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{}}{}", "The body must be one JSON object"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{}} // a comment", "The body must be one JSON object"),
				Arguments.of("{\"tool_name\":\"t\",\"tool_name\":\"u\",\"arguments\":{}}", "a name stands there twice"),
				Arguments.of(call("{\"a\":1,\"a\":1}"), "a name stands there twice"),
				Arguments.of(call("{\"x\":[{\"y\":{\"a\":1,\"\\u0061\":1}}]}"), "a name stands there twice"),
				Arguments.of(call("{\"comm\\u0061nd\":\"rm -rf /\",\"command\":\"ls\"}"), "a name stands there twice"), // P27
				Arguments.of(call("[]"), "'arguments' must be a JSON object"),
				Arguments.of(call("null"), "'arguments' must be a JSON object"),
				Arguments.of(call("\"{}\""), "'arguments' must be a JSON object"),
				Arguments.of("{\"tool_name\":\"t\"}", "'arguments' must be a JSON object"),
				Arguments.of("{\"arguments\":{}}", "'tool_name' must be there"),
				Arguments.of("{\"tool_name\":null,\"arguments\":{}}", "'tool_name' must be there"),
				Arguments.of("{\"tool_name\":1,\"arguments\":{}}", "'tool_name' must be there"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{},\"session_id\":1}",
						"'session_id' must be a string"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{},\"session\":\"s\"}",
						"The key 'session' is not known; there are tool_name, arguments, session_id, "
								+ "run_id, user, agent, role, workspace"),
				Arguments.of("{\"tool_name\":\"t\",\"arguments\":{},\"Tool_Name\":\"u\"}", "'Tool_Name' is not known"),
				Arguments.of(call("{\"x\":NaN}"), "not valid JSON"), Arguments.of(call("{\"x\":01}"), "not valid JSON"),
				Arguments.of(call("{\"x\":1e400}"), "range of a double"),
				Arguments.of(call("{\"x\":[{\"y\":-1e400}]}"), "range of a double"),
				Arguments.of(call("{\"x\":1e-999999999}"), "range of a double"),
				Arguments.of(call("{\"x\":" + "9".repeat(2000) + "}"), "not valid JSON"),
				Arguments.of(call("{\"x\":\"\\ud800\"}"), "surrogate"),
				Arguments.of(call("{\"x\":[{\"\\udc00\":1}]}"), "surrogate"),
				Arguments.of("{\"tool_name\":\"\\ud83d\",\"arguments\":{}}", "surrogate"),
				Arguments.of(call("{\"x\":\"a\nb\"}"), "not valid JSON"), Arguments.of(nested(65), "nested too deep"),
				Arguments.of(nested(20_000), "nested too deep")); // P25
	}

	@Test
	void readWhenBytesAreNotUtf8IsRefused() {
		byte[] latin = call("{\"x\":\"é\"}").getBytes(StandardCharsets.ISO_8859_1);
		byte[] utf16 = call("{}").getBytes(StandardCharsets.UTF_16);
		assertThatExceptionOfType(InvalidCallException.class).isThrownBy(() -> ToolCallJson.read(latin))
			.withMessage("The body must be UTF-8");
		assertThatExceptionOfType(InvalidCallException.class).isThrownBy(() -> ToolCallJson.read(utf16))
			.withMessage("The body must be UTF-8");
	}

	private static String call(String arguments) {
		return "{\"tool_name\":\"t\",\"arguments\":" + arguments + "}";
	}

	private static String nested(int levels) {
		return call("{\"a\":".repeat(levels - 1) + "{\"a\":1}" + "}".repeat(levels - 1));
	}

	private static ToolCall read(String json) {
		return ToolCallJson.read(json.getBytes(StandardCharsets.UTF_8));
	}

}
