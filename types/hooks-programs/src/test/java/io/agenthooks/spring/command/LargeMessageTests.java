package io.agenthooks.spring.command;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.dialect.CallMessage;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a command gets to read about a megabyte is written in a part of half a second.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeMessageTests {

	private static final long LIMIT = Duration.ofMillis(500).toNanos() * 4;

	static List<Object> values() {
		Map<String, Object> names = new LinkedHashMap<>();
		IntStream.range(0, 90_000).forEach((i) -> names.put("k" + i, 1));
		return List.of(Collections.nCopies(499_000, 1), Collections.nCopies(150_000, new BigDecimal("1E+300")),
				Collections.nCopies(300_000, ""), Collections.nCopies(140_000, Map.of("a", 1)), names,
				"a".repeat(1_000_000), "\u00fc".repeat(500_000), "\ud83d".repeat(300_000));
	}

	@ParameterizedTest
	@MethodSource("values")
	void messageIsWrittenInTime(Object value) {
		ToolCall call = ToolCall.of("tool", Map.of("a", value));
		ToolResult result = new ToolResult(true, "text", value);

		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long best = Long.MAX_VALUE;
		for (int i = 0; i < 3; i++) {
			long start = threads.getCurrentThreadCpuTime();
			assertThat(CallMessage.preCall(null, call, "/dir", SentUser.NOTHING)).isNotEmpty();
			assertThat(CallMessage.result(null, ToolCall.of("tool", Map.of()), result, 1, "/dir", SentUser.NOTHING))
				.isNotEmpty();
			best = Math.min(best, threads.getCurrentThreadCpuTime() - start);
		}

		assertThat(best).isLessThan(LIMIT);
	}

}
