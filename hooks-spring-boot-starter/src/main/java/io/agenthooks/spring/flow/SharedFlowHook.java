package io.agenthooks.spring.flow;

import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * A rule on the flow of data whose nodes share what they remember, and that knows how
 * their store is.
 *
 * @param hook the rule
 * @param store the store
 */
record SharedFlowHook(FlowToolHook hook, HookHealth store) implements RehearsedHook, PostToolHook, HookHealth {

	@Override
	public String name() {
		return this.hook.name();
	}

	@Override
	public boolean isRepeatable() {
		return this.hook.isRepeatable();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.hook.preCall(call);
	}

	@Override
	public ToolDecision rehearse(ToolCall call) {
		return this.hook.rehearse(call);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		this.hook.postCall(outcome);
	}

	@Override
	public HookHealth.Report health() {
		return this.store.health();
	}

}
