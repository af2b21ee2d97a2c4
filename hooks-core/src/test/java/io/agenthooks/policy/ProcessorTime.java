package io.agenthooks.policy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long a decision about a megabyte takes the processor, and how long it may: half a
 * second once warm, with room for a machine that has other work to do.
 */
final class ProcessorTime {

	static final long LIMIT = Duration.ofMillis(500).toNanos() * 3;

	private static final int TRIES = 3;

	private ProcessorTime() {
	}

	/**
	 * The time of the best of a few tries, of which the first ones warm up.
	 */
	static long of(Supplier<?> decision) {
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
