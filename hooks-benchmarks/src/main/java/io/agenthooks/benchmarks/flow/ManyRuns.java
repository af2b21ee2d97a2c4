package io.agenthooks.benchmarks.flow;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.benchmarks.flow.FlowBenchmark.Content;
import io.agenthooks.flow.Conversation;
import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.toolcall.ToolCall;

/**
 * Lets a hundred thousand runs read mails, and prints how much memory is taken by what is
 * remembered of them, and whether the first run is still known to have read something.
 */
public final class ManyRuns {

	private static final int RUNS = 100_000;

	private static final int STEP = 10_000;

	private ManyRuns() {
	}

	/**
	 * Measure.
	 * @param args how many kilobytes each run reads; several one after the other
	 */
	public static void main(String[] args) {
		for (String kilobytes : args) {
			measure(Integer.parseInt(kilobytes));
		}
	}

	private static void measure(int kilobytes) {
		System.out.printf("%d KB of mails in each run%n", kilobytes);
		List<String> mails = Content.MAILS.texts(100, 1024 * kilobytes);
		FlowToolHook hook = FlowBenchmark.hook();
		long before = usedMemory();
		for (int i = 1; i <= RUNS; i++) {
			ToolCall read = ToolCall.of("read_mail", Map.of(), contextOf(i));
			String mail = mails.get(i % mails.size());
			Conversation.ofUser("Pay what run " + i + " owes").execute(() -> {
				hook.preCall(read);
				hook.postCall(FlowBenchmark.outcome(read, mail));
				return null;
			});
			if (i % STEP == 0) {
				System.out.printf("%,8d runs: %,12d B, the first one is %s%n", i, usedMemory() - before,
						isAsked(hook) ? "asked about" : "NOT ASKED ABOUT");
			}
		}
	}

	private static CallContext contextOf(int run) {
		return CallContext.empty().withRunId("run-" + run);
	}

	private static boolean isAsked(FlowToolHook hook) {
		ToolCall pay = ToolCall.of("send_money", Map.of("recipient", "mallory", "amount", 5), contextOf(1));
		return hook.rehearse(pay).verdict() != Verdict.APPROVE;
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
