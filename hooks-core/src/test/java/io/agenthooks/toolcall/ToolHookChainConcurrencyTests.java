package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolHookChain}: one chain, many threads.
 */
class ToolHookChainConcurrencyTests {

	private static final int THREADS = 200;

	private static final int CALLS = 1000;

	private final Map<ToolCallStatus, LongAdder> ended = new ConcurrentHashMap<>();

	private final LongAdder ran = new LongAdder();

	private final ToolHookChain chain = new ToolHookChain(
			List.of(Hooks.policy(ToolHookChainConcurrencyTests::denyX),
					(PreToolHook) ToolHookChainConcurrencyTests::decide),
			List.of((PostToolHook) (
					outcome) -> this.ended.computeIfAbsent(outcome.status(), (status) -> new LongAdder()).increment()));

	private static ToolDecision denyX(ToolCall call) {
		return ("x".equals(call.arguments().get("value"))) ? ToolDecision.deny("x " + call.id())
				: ToolDecision.approve();
	}

	private static ToolDecision decide(ToolCall call) {
		return switch (call.tool()) {
			case "deny" -> ToolDecision.deny("no " + call.id());
			case "change" -> ToolDecision.modify(Map.of("value", "changed " + call.id()));
			case "smuggle" -> ToolDecision.modify(Map.of("value", "x"));
			case "answer" -> ToolDecision.respond(ToolResult.success("answer " + call.id()));
			case "abort" -> ToolDecision.abortTurn("stop " + call.id());
			default -> ToolDecision.approve();
		};
	}

	private ToolResult run(ToolCall call) {
		this.ran.increment();
		if (call.tool().equals("throw")) {
			throw new IllegalStateException(call.id());
		}
		return ToolResult.success("ran " + call.arguments().get("value"));
	}

	private void executeAndCheck(String tool, String id) {
		ToolCall call = new ToolCall(id, tool, Map.of("value", id), GuardedTool.CALL.context());
		String expected = switch (tool) {
			case "deny" -> "Tool call denied by hook 'hook': no " + id;
			case "change" -> "ran changed " + id;
			case "smuggle" -> "Tool call denied by hook 'Policy': x " + id;
			case "answer" -> "answer " + id;
			default -> "ran " + id;
		};
		try {
			assertThat(this.chain.execute(call, this::run).content()).isEqualTo(expected);
			assertThat(tool).isNotIn("abort", "throw");
		}
		catch (TurnAbortedException ex) {
			assertThat(tool).isEqualTo("abort");
			assertThat(ex.getReason()).isEqualTo("stop " + id);
		}
		catch (IllegalStateException ex) {
			assertThat(tool).isEqualTo("throw");
			assertThat(ex).hasMessage(id);
		}
	}

	@Test // T01
	@Timeout(60)
	void executeByManyThreadsDecidesEveryCallForItself() throws Exception {
		List<String> tools = List.of("run", "deny", "change", "smuggle", "answer", "abort", "throw", "run");
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> futures = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int thread = i;
				futures.add(threads.submit(() -> {
					start.await();
					for (int n = 0; n < CALLS; n++) {
						executeAndCheck(tools.get((thread + n) % tools.size()), thread + "/" + n);
					}
					return null;
				}));
			}
			start.countDown();
			for (Future<?> future : futures) {
				future.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		long each = (long) THREADS * CALLS / tools.size();
		assertThat(this.ran.sum()).isEqualTo(4 * each);
		Map<ToolCallStatus, Long> sums = new EnumMap<>(ToolCallStatus.class);
		this.ended.forEach((status, sum) -> sums.put(status, sum.sum()));
		assertThat(sums).isEqualTo(Map.of(ToolCallStatus.SUCCEEDED, 3 * each, ToolCallStatus.FAILED, each,
				ToolCallStatus.DENIED, 2 * each, ToolCallStatus.ANSWERED, each, ToolCallStatus.ABORTED, each));
	}

}
