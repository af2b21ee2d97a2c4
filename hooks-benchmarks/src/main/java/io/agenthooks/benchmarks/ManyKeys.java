package io.agenthooks.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.Map;

import io.agenthooks.CallContext;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;

/**
 * Makes a call for each of a million sessions that have a limit in memory, and prints how
 * much of it that takes, and whether a session whose limit is used up ever gets another
 * call.
 */
public final class ManyKeys {

	private static final int SESSIONS = 1_000_000;

	private static final int STEP = 100_000;

	private ManyKeys() {
	}

	/**
	 * Measure.
	 * @param args how many keys are kept at most; several one after the other
	 */
	public static void main(String[] args) {
		for (String maxKeys : args) {
			measure(maxKeys);
		}
	}

	private static void measure(String maxKeys) {
		System.out.printf("max_keys %s%n", maxKeys);
		Map<String, Object> entry = Map.of("type", "rate_limit", "config.limit", "3 per session", "config.max_keys",
				maxKeys);
		try (HookedApplication application = new HookedApplication(entry, LimitHooksAutoConfiguration.class)) {
			int victims = 0;
			for (int i = 0; i < 4; i++) {
				victims += call(application, "victim");
			}
			long before = usedMemory();
			int passed = 0;
			for (int i = 1; i <= SESSIONS; i++) {
				passed += call(application, "session " + i);
				if (i % STEP == 0) {
					victims += call(application, "victim");
					System.out.printf("%,9d sessions: %,9d passed, %,11d B, victim passed %d times%n", i, passed,
							usedMemory() - before, victims);
				}
			}
		}
	}

	private static int call(HookedApplication application, String session) {
		return (application.execute(ToolCall.of("refund", Map.of(), CallContext.ofSession(session))).succeeded()) ? 1
				: 0;
	}

	private static long usedMemory() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 3; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

}
