package io.agenthooks.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import io.agenthooks.Glob;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * The cost of the chain for a call: nothing, hooks that approve, hooks that are for other
 * tools.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChainBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	/**
	 * How many hooks are in the chain.
	 */
	@Param({ "0", "1", "3", "10" })
	public int hooks;

	private final ToolExecutor executor = (call) -> RESULT;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private ToolHookChain approving = new ToolHookChain(List.of(), List.of());

	private ToolHookChain unmatched = this.approving;

	/**
	 * Make the chains.
	 */
	@Setup
	public void makeChains() {
		List<PreToolHook> approving = new ArrayList<>();
		List<PreToolHook> unmatched = new ArrayList<>();
		for (int i = 0; i < this.hooks; i++) {
			PreToolHook hook = hook(i);
			approving.add(hook);
			unmatched.add(PreToolHook.forTools(Glob.of("run_*"), hook));
		}
		this.approving = new ToolHookChain(approving, List.of());
		this.unmatched = new ToolHookChain(unmatched, List.of());
	}

	/** A hook of a class of its own, so that the chain's call to it cannot be inlined. */
	private static PreToolHook hook(int i) {
		return switch (i % 4) {
			case 0 -> (call) -> ToolDecision.approve();
			case 1 -> new Approving();
			case 2 -> (call) -> (call.tool().isEmpty()) ? ToolDecision.deny("empty") : ToolDecision.approve();
			default -> new ApprovingByLength();
		};
	}

	/**
	 * The tool alone.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult direct() {
		return this.executor.execute(this.call);
	}

	/**
	 * Every hook approves.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult approved() {
		return this.approving.execute(this.call, this.executor);
	}

	/**
	 * Every hook is for other tools.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult unmatched() {
		return this.unmatched.execute(this.call, this.executor);
	}

	private static final class Approving implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

	}

	private static final class ApprovingByLength implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return (call.tool().length() > 256) ? ToolDecision.deny("long") : ToolDecision.approve();
		}

	}

}
