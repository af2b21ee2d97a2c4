package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolHookChain}: one chain, many threads.
 */
class ToolHookChainConcurrencyTests {

	private static final int THREADS = 200;

	private static final int CALLS = 1000;

	private final Map<ToolCallStatus, LongAdder> ended = new ConcurrentHashMap<>();

	private final Map<String, LongAdder> told = new ConcurrentHashMap<>();

	private final LongAdder ran = new LongAdder();

	private final ToolHookChain chain = new ToolHookChain(
			List.of(Hooks.policy(ToolHookChainConcurrencyTests::denyX),
					(PreToolHook) ToolHookChainConcurrencyTests::decide,
					PreToolHook.forTools("other"::equals, (call) -> ToolDecision.deny("never asked"))),
			List.of((ToolResultHook) ToolHookChainConcurrencyTests::redact),
			List.of((PostToolHook) (outcome) -> count(this.ended, outcome.status())), ToolApprover.nobody(),
			(event) -> count(this.told, event.getClass().getSimpleName()), new AbortedRuns());

	private static <K> void count(Map<K, LongAdder> counters, K key) {
		counters.computeIfAbsent(key, (added) -> new LongAdder()).increment();
	}

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
			case "ask" -> ToolDecision.ask("Really " + call.id());
			default -> ToolDecision.approve();
		};
	}

	private static ToolDecision redact(ToolCall call, ToolResult result) {
		return switch (call.tool()) {
			case "redact" -> ToolDecision.respond(ToolResult.success("*** " + call.id()));
			case "withhold" -> ToolDecision.deny("secret " + call.id());
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
		ToolCall call = ToolCall.of(id, tool, Map.of("value", id), GuardedTool.CALL.context());
		String expected = switch (tool) {
			case "deny" -> "Tool call denied by hook 'hook': no " + id;
			case "change" -> "ran changed " + id;
			case "smuggle" -> "Tool call denied by hook 'Policy': x " + id;
			case "answer" -> "answer " + id;
			case "ask" -> "Tool call denied by hook 'hook': "
					+ "This call needs the approval of a person, and there is nobody to ask";
			case "redact" -> "*** " + id;
			case "withhold" -> "Tool result withheld by hook 'hook': secret " + id;
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
		List<String> tools = List.of("run", "deny", "change", "smuggle", "answer", "abort", "throw", "ask", "redact",
				"withhold");
		byThreads(THREADS, (thread) -> {
			for (int n = 0; n < CALLS; n++) {
				executeAndCheck(tools.get((thread + n) % tools.size()), thread + "/" + n);
			}
		});
		long each = (long) THREADS * CALLS / tools.size();
		assertThat(this.ran.sum()).isEqualTo(5 * each);
		assertThat(sums(this.ended)).isEqualTo(Map.of(ToolCallStatus.SUCCEEDED, 4 * each, ToolCallStatus.FAILED, each,
				ToolCallStatus.DENIED, 3 * each, ToolCallStatus.ANSWERED, each, ToolCallStatus.ABORTED, each));
		assertThat(sums(this.told))
			.isEqualTo(Map.ofEntries(Map.entry("Started", 10 * each), Map.entry("Modified", 2 * each),
					Map.entry("ApprovalRequested", each), Map.entry("ApprovalSettled", each),
					Map.entry("ResultReplaced", 2 * each), Map.entry("Succeeded", 4 * each), Map.entry("Failed", each),
					Map.entry("Denied", 3 * each), Map.entry("Answered", each), Map.entry("Aborted", each)));
	}

	/**
	 * Two chains of which every hook leaves its mark: the first changes the arguments,
	 * the second denies. A mixed or an empty chain shows in what the agent gets.
	 */
	@Test // T03
	@Timeout(60)
	void replaceHooksDuringCallsShowsEachCallOneWholeChain() throws Exception {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		Map<String, LongAdder> seen = new ConcurrentHashMap<>();
		putTagged(chain, "A", seen);
		AtomicBoolean done = new AtomicBoolean();
		AtomicInteger swaps = new AtomicInteger();
		Thread swapping = new Thread(() -> {
			while (!done.get()) {
				putTagged(chain, (swaps.incrementAndGet() % 2 == 0) ? "A" : "B", seen);
			}
		});
		swapping.start();
		try {
			byThreads(8, (thread) -> {
				for (int n = 0; n < 12_500; n++) {
					ToolCall call = ToolCall.of("tool" + n % 3, Map.of());
					ToolResult result = chain.execute(call, (ran) -> {
						throw new AssertionError("The tool ran: there was no chain");
					});
					count(seen, result.content());
				}
			});
		}
		finally {
			done.set(true);
			swapping.join();
		}
		Map<String, Long> sums = sums(seen);
		assertThat(sums).containsOnlyKeys("Tool call denied by hook 'second A': A, A",
				"Tool call denied by hook 'second B': B, B", "post A, A", "post B, B");
		assertThat(sums.values()).allMatch((sum) -> sum > 100);
		assertThat(sums.values()).as("each call and each outcome")
			.satisfies((all) -> assertThat(all.stream().mapToLong(Long::longValue).sum()).isEqualTo(2 * 100_000));
		assertThat(swaps).hasValueGreaterThan(100);
	}

	private static void putTagged(ToolHookChain chain, String tag, Map<String, LongAdder> seen) {
		ReplacedHooks
			.replace(
					chain, List.of(
							PreToolHook.forTools((tool) -> tool.startsWith("tool"),
									PreToolHook.named("first " + tag,
											(call) -> ToolDecision.modify(Map.of("tag", tag)))),
							PreToolHook.forTools((tool) -> !tool.isEmpty(),
									PreToolHook.named("second " + tag,
											(call) -> ToolDecision.deny(call.arguments().get("tag") + ", " + tag)))),
					List.of(), List.of((PostToolHook) (outcome) -> count(seen,
							"post " + outcome.effective().arguments().get("tag") + ", " + tag)));
	}

	@Test
	@Timeout(60)
	void switchingToolsDuringCallsRunsEachCallOrDisablesIt() throws Exception {
		AtomicBoolean done = new AtomicBoolean();
		Thread switching = new Thread(() -> {
			while (!done.get()) {
				this.chain.setToolsEnabled(!this.chain.isToolsEnabled());
				Thread.onSpinWait();
			}
		});
		Map<String, LongAdder> results = new ConcurrentHashMap<>();
		LongAdder ran = new LongAdder();
		switching.start();
		try {
			byThreads(8, (thread) -> {
				int n = 0;
				while (n < 10_000 || (results.size() < 2 && n < 10_000_000)) {
					String id = thread + "/" + n++;
					boolean[] inTool = new boolean[1];
					ToolResult result = this.chain
						.execute(ToolCall.of(id, "change", Map.of("value", id), GuardedTool.CALL.context()), (call) -> {
							assertThat(call.arguments()).isEqualTo(Map.of("value", "changed " + id));
							inTool[0] = true;
							ran.increment();
							return ToolResult.success("ran");
						});
					assertThat(result.succeeded()).isEqualTo(inTool[0]);
					count(results, result.content());
				}
			});
		}
		finally {
			done.set(true);
			switching.join();
		}
		String disabled = "Tool call denied by hook 'kill-switch': Tools are switched off";
		Map<String, Long> sums = sums(results);
		assertThat(sums).containsOnlyKeys("ran", disabled).containsEntry("ran", ran.sum());
		assertThat(sums(this.ended)).isEqualTo(
				Map.of(ToolCallStatus.SUCCEEDED, ran.sum(), ToolCallStatus.DISABLED, sums.getOrDefault(disabled, 0L)));
		assertThat(sums(this.told)).containsEntry("Started", sums.values().stream().mapToLong(Long::longValue).sum())
			.containsEntry("Succeeded", ran.sum())
			.containsEntry("ToolsDisabled", sums.getOrDefault(disabled, 0L));
	}

	@Test
	@Timeout(60)
	void switchingToolsOffHoldsForEveryCallThatBeginsAfterIt() throws Exception {
		AtomicInteger running = new AtomicInteger();
		byThreads(8, (thread) -> {
			for (int n = 0; n < 5_000; n++) {
				this.chain.setToolsEnabled(false);
				this.chain.execute(ToolCall.of("run", Map.of()), (call) -> {
					running.incrementAndGet();
					return ToolResult.success("");
				});
			}
		});
		assertThat(running).hasValue(0);
	}

	@Test
	@Timeout(60)
	void abortOfARunHoldsForEveryCallThatBeginsAfterIt() throws Exception {
		ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) (call) -> (call.tool().equals("stop"))
				? ToolDecision.abortRun("stop") : ToolDecision.approve()), List.of());
		Map<String, AtomicBoolean> aborted = new ConcurrentHashMap<>();
		byThreads(8, (thread) -> {
			for (int n = 0; n < 5_000; n++) {
				String run = "r" + n / 20;
				AtomicBoolean stopped = aborted.computeIfAbsent(run, (added) -> new AtomicBoolean());
				boolean mustBeRefused = stopped.get();
				CallContext context = CallContext.empty().withRunId(run);
				try {
					chain.execute(ToolCall.of((n % 20 == 7 + thread) ? "stop" : "go", Map.of(), context),
							(call) -> ToolResult.success(""));
					assertThat(mustBeRefused).isFalse();
				}
				catch (RunAbortedException ex) {
					stopped.set(true);
				}
			}
		});
		assertThat(aborted).hasSize(250).allSatisfy((run, stopped) -> assertThat(stopped).isTrue());
	}

	private static <K> Map<K, Long> sums(Map<K, LongAdder> counters) {
		return counters.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (counter) -> counter.getValue().sum()));
	}

	private static void byThreads(int count, IntConsumer work) throws Exception {
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(count);
		try {
			List<Future<?>> futures = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				int thread = i;
				futures.add(threads.submit(() -> {
					start.await();
					work.accept(thread);
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
	}

}
