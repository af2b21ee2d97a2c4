package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A tool behind hooks, which remembers the calls that it ran and how the calls ended.
 */
final class GuardedTool {

	static final ToolCall CALL = ToolCall.of("run_command", Map.of("command", "ls"));

	final List<ToolCall> ran = new ArrayList<>();

	final List<ToolOutcome> outcomes = new ArrayList<>();

	private ToolExecutor tool = (call) -> ToolResult.success("ran " + call.arguments().get("command"));

	private ToolApprover approver = ToolApprover.nobody();

	private List<ToolResultHook> results = List.of();

	private @Nullable ToolCallListener listener;

	GuardedTool withTool(ToolExecutor tool) {
		this.tool = tool;
		return this;
	}

	GuardedTool withApprover(ToolApprover approver) {
		this.approver = approver;
		return this;
	}

	GuardedTool withResults(ToolResultHook... results) {
		this.results = List.of(results);
		return this;
	}

	GuardedTool withListener(ToolCallListener listener) {
		this.listener = listener;
		return this;
	}

	ToolHookChain chain(PreToolHook... hooks) {
		return new ToolHookChain(List.of(hooks), this.results, List.of((PostToolHook) this.outcomes::add),
				this.approver, this.listener, new AbortedRuns());
	}

	ToolResult execute(PreToolHook... hooks) {
		return chain(hooks).execute(CALL, this::run);
	}

	ToolResult run(ToolCall call) {
		this.ran.add(call);
		return this.tool.execute(call);
	}

	/**
	 * The arguments of the only call that the tool ran.
	 */
	Map<String, @Nullable Object> ranArguments() {
		assertThat(this.ran).hasSize(1);
		return this.ran.get(0).arguments();
	}

	/**
	 * The only outcome.
	 */
	ToolOutcome outcome() {
		assertThat(this.outcomes).hasSize(1);
		return this.outcomes.get(0);
	}

}
