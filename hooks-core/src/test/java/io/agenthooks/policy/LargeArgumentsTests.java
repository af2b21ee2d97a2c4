package io.agenthooks.policy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.Redactor;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call with a megabyte of arguments is decided in time, whatever it is made of.
 *
 * @see ProcessorTime
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeArgumentsTests {

	private static final int SIZE = 1_000_000;

	private static final List<String> PATTERNS = List.of("rm -rf", "(?i)curl.*[|].*sh", "-----BEGIN [A-Z ]+PRIVATE KEY",
			"ghp_[A-Za-z0-9]{36}");

	private final PolicyToolHook policy = new PolicyToolHook(
			new PolicyConfig(null, null, Map.of("command", PATTERNS, "command.path", PATTERNS), PATTERNS));

	private final Redactor redactor = Redactor.ofDefaults();

	private final Redactor hashing = new Redactor(new RedactConfig(null, null, RedactConfig.Strategy.HASH));

	/**
	 * Numbers, and what is deep.
	 */
	static List<Map<String, Object>> someArguments() {
		List<Map<String, Object>> all = arguments();
		return List.of(all.get(17), all.get(all.size() - 1));
	}

	static List<Map<String, Object>> arguments() {
		List<Map<String, Object>> all = new ArrayList<>();
		for (Object value : List.of(1, 12, true, 0.5, "", "x", "\u00fc", "hello worl", List.of(), Map.of(), List.of(1),
				Map.of("a", 1), Map.of("command", 1), Map.of("password", "x"), Map.of("password", 1), "a@b.cc",
				4111111111111111L, new BigDecimal("1E+300"), new BigDecimal("1E-300"), 1e300, 1e-300,
				new BigDecimal("1E+9"), new BigDecimal("0.10000000000000000555"), new BigDecimal("9".repeat(300)))) {
			int length = Math.min(6, value.toString().length()) + ((value instanceof Number) ? 1 : 3);
			all.add(Map.of("a", IntStream.range(0, SIZE / length).mapToObj((i) -> value).toList()));
		}
		for (IntFunction<String> name : List.<IntFunction<String>>of((i) -> "k" + i, (i) -> "password" + i,
				(i) -> "a" + i + "@b.cc")) {
			Map<String, Object> names = new LinkedHashMap<>();
			IntStream.range(0, 80_000).forEach((i) -> names.put(name.apply(i), 1));
			all.add(names);
			all.add(Map.of("a", names));
		}
		Object described = Map.of("type", Collections.nCopies(SIZE / 12, "a b c d e f"));
		for (int i = 0; i < 55; i++) {
			Map<String, Object> around = new LinkedHashMap<>(Map.of("x", described));
			around.put("z", 1);
			described = around;
		}
		all.add(Map.of("password", described));
		for (IntFunction<Object> around : List.<IntFunction<Object>>of((i) -> List.of(i),
				(i) -> Map.of("command", i))) {
			Object deep = IntStream.range(0, SIZE / 2).mapToObj((i) -> 1).toList();
			for (int i = 0; i < 60; i++) {
				deep = (around.apply(i) instanceof Map) ? Map.of((i % 2 == 0) ? "command" : "path", deep)
						: List.of(deep);
			}
			all.add(Map.of("a", deep));
		}
		return all;
	}

	@ParameterizedTest
	@MethodSource("someArguments")
	void argumentsAreDecidedInTime(Map<String, Object> arguments) {
		decideInTime(arguments);
	}

	@ParameterizedTest
	@Tag("slow")
	@MethodSource("arguments")
	void argumentsOfAllKindsAreDecidedInTime(Map<String, Object> arguments) {
		decideInTime(arguments);
	}

	private void decideInTime(Map<String, Object> arguments) {
		ToolCall call = ToolCall.of("tool", arguments);

		assertThat(ProcessorTime.of(() -> this.policy.preCall(call))).as("policy").isLessThan(ProcessorTime.LIMIT);
		assertThat(ProcessorTime.of(() -> this.redactor.redact(call.arguments()))).as("redact")
			.isLessThan(ProcessorTime.LIMIT);
		assertThat(ProcessorTime.of(() -> this.hashing.redact(call.arguments()))).as("redact with hashes")
			.isLessThan(ProcessorTime.LIMIT);
	}

}
