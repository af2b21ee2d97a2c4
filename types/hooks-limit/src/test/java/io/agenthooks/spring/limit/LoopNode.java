package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * A node of an application whose agent must not loop.
 */
final class LoopNode {

	static final CallContext RUN = CallContext.ofSession("session-of-ada").withRunId("run-of-ada");

	final LoopToolHook hook;

	final ToolHookChain chain;

	LoopNode(LoopStore store, LoopConfig config, PreToolHook... later) {
		this(store, config, ToolApprover.nobody(), later);
	}

	LoopNode(LoopStore store, LoopConfig config, ToolApprover people, PreToolHook... later) {
		this.hook = new LoopToolHook("loops", config, new LimitStores() {

			@Override
			public StateStore states() {
				throw new UnsupportedOperationException();
			}

			@Override
			public LoopStore loops(String hook, LoopSettings settings) {
				return store;
			}

		});
		List<PreToolHook> hooks = new ArrayList<>(List.of(this.hook));
		hooks.addAll(List.of(later));
		this.chain = new ToolHookChain(hooks, List.of(this.hook), people);
	}

	static ToolCall call(String tool, int argument) {
		return ToolCall.of(tool, Map.of("n", argument, "of", "argument-of-ada"), RUN);
	}

	/** A tool that returns something, or the denial. */
	ToolResult execute(String tool, int argument, String result) {
		return execute(call(tool, argument), (call) -> ToolResult.success(result));
	}

	ToolResult execute(ToolCall call, ToolExecutor tool) {
		return this.chain.execute(call, tool);
	}

	boolean passes(String tool) {
		return execute(tool, 1, "same").succeeded();
	}

	/** What explaining says about a call. */
	Verdict explain(String tool) {
		return this.chain.explain(call(tool, 1), (call) -> ToolResult.success(""), true).decision().verdict();
	}

}
