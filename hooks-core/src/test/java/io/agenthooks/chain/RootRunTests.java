package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the outermost run of calls that loops of an application make.
 */
class RootRunTests {

	private final List<String> heard = new ArrayList<>();

	private final PreToolHook beforeTool = (call) -> {
		hear("tool", call.context());
		return ToolDecision.approve();
	};

	private final PreLlmHook beforeModel = (call) -> {
		hear("model", call.context());
		return LlmDecision.approve();
	};

	private final PreRunHook beforeRun = (run) -> {
		hear("run", run.context());
		return RunDecision.approve();
	};

	private final ToolHookChain tools = new ToolHookChain(List.of(this.beforeTool), List.of());

	private final LlmHookChain models = new LlmHookChain(List.of(this.beforeModel), List.of(), List.of());

	private final RunHookChain runs = new RunHookChain(List.of(this.beforeRun), List.of());

	private void hear(String what, CallContext context) {
		this.heard.add("%s of %s in %s".formatted(what, context.runId(), context.rootRunId()));
	}

	private static CallContext run(@Nullable String run) {
		return CallContext.empty().withRunId(run);
	}

	private ToolResult call(CallContext context, Supplier<Object> tool) {
		return this.tools.execute(ToolCall.of("ask", Map.of(), context), (call) -> {
			Object unused = tool.get();
			return ToolResult.success("");
		});
	}

	private Object ask(CallContext context) {
		return this.models.execute(LlmCall.of(LlmMessage.user("Hi")).withContext(context),
				(call) -> LlmResponse.of("Hello"));
	}

	@Test
	void callsInsideOfAToolServeTheRunOfItsCall() {
		call(run("outer"), () -> {
			this.runs.begin(new AgentRun("inner", "Hi", run("inner"))).finish("", null);
			ask(run("inner"));
			return call(run("inner"), () -> call(run("innermost"), () -> ask(run(null))));
		});
		call(run("next"), () -> "");
		assertThat(this.heard).containsExactly("tool of outer in outer", "run of inner in outer",
				"model of inner in outer", "tool of inner in outer", "tool of innermost in outer",
				"model of null in outer", "tool of next in next");
	}

	@Test
	void carriedWorkServesTheSameRunAndLeavesNothingBehind() {
		call(run("outer"), () -> {
			Supplier<Object> carried = Nesting.ofThisThread().carry(() -> call(run("inner"), () -> ask(run("inner"))));
			return CompletableFuture.supplyAsync(() -> {
				Object unused = carried.get();
				return ask(run("other"));
			}).join();
		});
		assertThat(this.heard).containsExactly("tool of outer in outer", "tool of inner in outer",
				"model of inner in outer", "model of other in other");
	}

	@Test
	void runThatIsSaidHolds() {
		call(run("outer"), () -> call(run("inner").withRootRunId("said"), () -> ask(run("innermost"))));
		assertThat(this.heard).containsExactly("tool of outer in outer", "tool of inner in said",
				"model of innermost in outer");
	}

	@Test
	void callThatPassesTwoGuardsIsDecidedOnce() {
		call(run("outer"), () -> this.tools.execute(ToolCall.of("ask", Map.of(), run("inner")),
				(call) -> this.tools.execute(call, (same) -> ToolResult.success(""))));
		assertThat(this.heard).containsExactly("tool of outer in outer", "tool of inner in outer");
	}

	@Test
	void runThatACallBeginsIsInsideOfItsRun() {
		AgentRun outer = AgentRun.of("Hi", CallContext.empty());
		AgentRun inner = AgentRun.of("Hi", outer.context());
		assertThat(outer.context().rootRunId()).isEqualTo(outer.id());
		assertThat(inner.context().runId()).isEqualTo(inner.id());
		assertThat(inner.context().rootRunId()).isEqualTo(outer.id());
		assertThat(AgentRun.of("Hi", inner.context()).context().rootRunId()).isEqualTo(outer.id());
	}

	@Test
	void rootRunGoesAlongWithTheRunUntilItIsSaid() {
		assertThat(run("a").rootRunId()).isEqualTo("a");
		assertThat(run("a").withRunId("b").rootRunId()).isEqualTo("b");
		assertThat(run("a").withRootRunId("a")).isEqualTo(run("a"));
		assertThat(run("a").withRootRunId("r").withRunId("b").withUser("u").withAgent("x").withAttempt(2).rootRunId())
			.isEqualTo("r");
		assertThat(run("a").withRootRunId("r").withRootRunId(null).rootRunId()).isEqualTo("a");
	}

}
