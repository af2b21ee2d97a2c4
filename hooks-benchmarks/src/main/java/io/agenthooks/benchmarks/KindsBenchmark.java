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

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * What the chains add to calls of each kind in a machine that has seen calls of all
 * kinds, and what a call costs about which more is said than that it is approved.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KindsBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	private static final LlmResponse RESPONSE = LlmResponse.of("Hi");

	/**
	 * How many hooks are in each chain.
	 */
	@Param({ "1", "3", "10" })
	public int hooks;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private final LlmCall modelCall = LlmCall.of(LlmMessage.user("Hello")).withModel("small");

	private final AgentRun run = AgentRun.of("Hello", CallContext.empty());

	private ToolHookChain tools = new ToolHookChain(List.of(), List.of());

	private ToolHookChain denying = this.tools;

	private ToolHookChain observing = this.tools;

	private ToolHookChain learning = this.tools;

	private LlmHookChain models = new LlmHookChain(List.of(), List.of(), List.of());

	private RunHookChain runs = new RunHookChain(List.of(), List.of());

	/**
	 * Make the chains, and many calls of each.
	 */
	@Setup
	public void makeChains() {
		List<PreToolHook> ofTools = new ArrayList<>();
		List<PreToolHook> observed = new ArrayList<>();
		List<PreLlmHook> ofModels = new ArrayList<>();
		List<PreRunHook> ofRuns = new ArrayList<>();
		for (int i = 0; i < this.hooks; i++) {
			ofTools.add(toolHook(i));
			ofModels.add((i % 2 == 0) ? (call) -> LlmDecision.approve() : new ApprovingModels());
			ofRuns.add((i % 2 == 0) ? (run) -> RunDecision.approve() : new ApprovingRuns());
			observed.add(PreToolHook.observeOnly(toolHook(i)));
		}
		List<PreToolHook> refused = new ArrayList<>(ofTools.subList(0, this.hooks - 1));
		refused.add((call) -> ToolDecision.deny("no"));
		PostToolHook afterTool = (outcome) -> {
		};
		PostLlmHook afterModel = (outcome) -> {
		};
		PostRunHook afterRun = (outcome) -> {
		};
		this.tools = new ToolHookChain(ofTools, List.of());
		this.denying = new ToolHookChain(refused, List.of());
		this.observing = new ToolHookChain(observed, List.of());
		this.learning = new ToolHookChain(ofTools, List.of(afterTool));
		this.models = new LlmHookChain(ofModels, List.of(), List.of(afterModel));
		this.runs = new RunHookChain(ofRuns, List.of(afterRun));
		for (int i = 0; i < 30_000; i++) {
			toolCall();
			toolCallDenied();
			toolCallObserved();
			toolCallLearned();
			modelCall();
			run();
		}
	}

	private static PreToolHook toolHook(int i) {
		return switch (i % 3) {
			case 0 -> (call) -> ToolDecision.approve();
			case 1 -> new ApprovingTools();
			default -> (call) -> (call.tool().isEmpty()) ? ToolDecision.deny("empty") : ToolDecision.approve();
		};
	}

	/**
	 * A tool call that every hook approves.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult toolCall() {
		return this.tools.execute(this.call, (call) -> RESULT);
	}

	/**
	 * A tool call that the last hook denies.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult toolCallDenied() {
		return this.denying.execute(this.call, (call) -> RESULT);
	}

	/**
	 * A tool call that hooks observe.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult toolCallObserved() {
		return this.observing.execute(this.call, (call) -> RESULT);
	}

	/**
	 * A tool call of which a hook learns the end.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult toolCallLearned() {
		return this.learning.execute(this.call, (call) -> RESULT);
	}

	/**
	 * A model call.
	 * @return the response, so that it is used
	 */
	@Benchmark
	public LlmResponse modelCall() {
		return this.models.execute(this.modelCall, (call) -> RESPONSE);
	}

	/**
	 * A run.
	 * @return what was run, so that it is used
	 */
	@Benchmark
	public AgentRun run() {
		RunInProgress run = this.runs.begin(this.run);
		run.finish("Hi", null);
		return run.run();
	}

	private static final class ApprovingTools implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

	}

	private static final class ApprovingModels implements PreLlmHook {

		@Override
		public LlmDecision preCall(LlmCall call) {
			return LlmDecision.approve();
		}

	}

	private static final class ApprovingRuns implements PreRunHook {

		@Override
		public RunDecision preRun(AgentRun run) {
			return RunDecision.approve();
		}

	}

}
