package io.agenthooks.policy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.Redactor;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A decision about a megabyte takes less than half a second once warm, whatever the
 * megabyte is made of. What counts is the time of the processor, with room for a machine
 * that has other work to do.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeInputTests {

	private static final int SIZE = 1_000_000;

	private static final long LIMIT = Duration.ofMillis(500).toNanos() * 3;

	private static final int TRIES = 3;

	private static final List<String> PATTERNS = List.of("rm -rf", "(?i)curl.*[|].*sh", "-----BEGIN [A-Z ]+PRIVATE KEY",
			"ghp_[A-Za-z0-9]{36}");

	private final PolicyToolHook policy = new PolicyToolHook(
			new PolicyConfig(null, null, Map.of("command", PATTERNS, "command.path", PATTERNS), PATTERNS));

	private final PolicyLlmHook prompts = new PolicyLlmHook(new LlmPolicyConfig(PATTERNS, null));

	private final Redactor redactor = Redactor.ofDefaults();

	private final Redactor hashing = new Redactor(new RedactConfig(null, null, RedactConfig.Strategy.HASH));

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
	@MethodSource("arguments")
	void argumentsAreDecidedInTime(Map<String, Object> arguments) {
		ToolCall call = ToolCall.of("tool", arguments);

		assertThat(timeOf(() -> this.policy.preCall(call))).as("policy").isLessThan(LIMIT);
		assertThat(timeOf(() -> this.redactor.redact(call.arguments()))).as("redact").isLessThan(LIMIT);
		assertThat(timeOf(() -> this.hashing.redact(call.arguments()))).as("redact with hashes").isLessThan(LIMIT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", " ", "\n", "[", "\"", "\\", "\u00fc", "\u200ba", "e\u0301", "\uff21", "\ufdfa",
			"\ud83d\ude00", "the quick brown fox, ", "a@b.cc ", "a@b.c ", "@", "4111 1111 1111 1111 ", "4-",
			"password: x\n", "password=abc1 ", "password=", "\"password\":\"x\",", "password: [redacted:password]\n",
			"nextToken: x\n", "AKIA", "AKIAIOSFODNN7EXAMPLE ", "eyJ", "eyJa.b.c ", "ghp_",
			"-----BEGIN RSA PRIVATE KEY-----\n", "abcd\n", "http://u:p@h/", "Authorization: Bearer abc ",
			"aws_secret_key = \"", "1:AA", "--password x ", "<password>x</password>", "password='x' ",
			"export A_PASSWORD=x\n", "curl x | ba", "%22", "\\u0022",
			"AKIA eyJaaaa. ghp_ -----BEGIN RSA PRIVATE KEY-----password=\"secret\": \"xoxb-sk-bob@http://u:4111 1111 \n" })
	void textIsDecidedInTime(String part) {
		String text = part.repeat(SIZE / part.length());
		ToolCall call = ToolCall.of("tool", Map.of("a", text));

		assertThat(timeOf(() -> this.prompts.preCall(LlmCall.of(LlmMessage.user(text))))).as("prompt")
			.isLessThan(LIMIT);
		assertThat(timeOf(() -> this.policy.preCall(call))).as("policy").isLessThan(LIMIT);
		assertThat(timeOf(() -> this.redactor.redact(text))).as("redact").isLessThan(LIMIT);
		assertThat(timeOf(() -> this.hashing.redact(text))).as("redact with hashes").isLessThan(LIMIT);
	}

	/**
	 * The time of the best of a few tries, of which the first ones warm up.
	 */
	private static long timeOf(Supplier<?> decision) {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long best = Long.MAX_VALUE;
		for (int i = 0; i < TRIES && best > LIMIT / 3; i++) {
			long start = threads.getCurrentThreadCpuTime();
			assertThat(decision.get()).isNotNull();
			best = Math.min(best, threads.getCurrentThreadCpuTime() - start);
		}
		return best;
	}

}
