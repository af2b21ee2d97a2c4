package io.agenthooks.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * What something around one hook that approves, or beside it, adds to a call.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecoratorBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	/**
	 * What is around the hook, or beside it.
	 */
	@Param({ "NOTHING", "NAMED", "FOR_TOOLS_MATCH", "FOR_TOOLS_NO_MATCH", "FOR_CONTEXTS", "FAIL_OPEN", "OBSERVE_ONLY",
			"ALL_OF_THEM", "ASYNC_AND_DONE", "RESULT_HOOK", "POST_CALL_HOOK", "LISTENER", "LISTENER_ALONE" })
	public Around around = Around.NOTHING;

	private final ToolExecutor executor = (call) -> RESULT;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private ToolHookChain chain = new ToolHookChain(List.of(), List.of());

	/**
	 * Make the chain.
	 */
	@Setup
	public void makeChain() {
		PreToolHook hook = (call) -> (call.tool().isEmpty()) ? ToolDecision.deny("empty") : ToolDecision.approve();
		this.chain = switch (this.around) {
			case NOTHING -> chain(hook);
			case NAMED -> chain(PreToolHook.named("name", hook));
			case FOR_TOOLS_MATCH -> chain(PreToolHook.forTools(Glob.of("read_*"), hook));
			case FOR_TOOLS_NO_MATCH -> chain(PreToolHook.forTools(Glob.of("run_*"), hook));
			case FOR_CONTEXTS -> chain(PreToolHook.forContexts((context) -> context.workspace().equals("main"), hook));
			case FAIL_OPEN -> chain(PreToolHook.failOpen(hook));
			case OBSERVE_ONLY -> chain(PreToolHook.observeOnly(hook));
			case ALL_OF_THEM -> chain(PreToolHook.forTools(Glob.of("read_*"),
					PreToolHook.observeOnly(PreToolHook.failOpen(PreToolHook.named("name", hook)))));
			case ASYNC_AND_DONE -> chain(PreToolHook.async(Duration.ofSeconds(1),
					(call) -> CompletableFuture.completedStage(hook.preCall(call))));
			case RESULT_HOOK -> chain(hook, List.of((call, result) -> (result.content().isEmpty())
					? ToolDecision.deny("empty") : ToolDecision.approve()));
			case POST_CALL_HOOK -> new ToolHookChain(List.of(hook), List.of((PostToolHook) (outcome) -> {
			}));
			case LISTENER -> heard(List.of(hook));
			case LISTENER_ALONE -> heard(List.of());
		};
	}

	private static ToolHookChain chain(PreToolHook hook) {
		return new ToolHookChain(List.of(hook), List.of());
	}

	private static ToolHookChain chain(PreToolHook hook, List<ToolResultHook> results) {
		return new ToolHookChain(List.of(hook), results, List.of(), ToolApprover.nobody(), null);
	}

	private static ToolHookChain heard(List<PreToolHook> hooks) {
		return new ToolHookChain(hooks, List.of(), List.of(), ToolApprover.nobody(), (event) -> {
		});
	}

	/**
	 * The call.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult execute() {
		return this.chain.execute(this.call, this.executor);
	}

	/**
	 * What is around the hook, or beside it.
	 */
	public enum Around {

		/** The hook alone. */
		NOTHING,

		/** Its name. */
		NAMED,

		/** It is for this tool. */
		FOR_TOOLS_MATCH,

		/** It is for other tools. */
		FOR_TOOLS_NO_MATCH,

		/** It is for this context. */
		FOR_CONTEXTS,

		/** It fails open. */
		FAIL_OPEN,

		/** It only observes. */
		OBSERVE_ONLY,

		/** Name, fail open, observe, for this tool. */
		ALL_OF_THEM,

		/** It decides asynchronously, and has decided already. */
		ASYNC_AND_DONE,

		/** A result hook that keeps the result. */
		RESULT_HOOK,

		/** A post-call hook that does nothing. */
		POST_CALL_HOOK,

		/** A listener that does nothing. */
		LISTENER,

		/** A listener that does nothing, and no hook. */
		LISTENER_ALONE

	}

}
