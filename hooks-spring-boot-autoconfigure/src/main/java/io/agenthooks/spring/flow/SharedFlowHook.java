package io.agenthooks.spring.flow;

import io.agenthooks.AbortedRuns;
import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.spring.HookHealth;

/**
 * A rule on the flow of data whose nodes share what they remember, and that knows how
 * their store is.
 */
final class SharedFlowHook extends ConfiguredFlowHook implements HookHealth {

	private final HookHealth store;

	SharedFlowHook(FlowToolHook hook, FlowConfig config, AbortedRuns.Listening runs, HookHealth store) {
		super(hook, config, runs);
		this.store = store;
	}

	@Override
	public HookHealth.Report health() {
		return this.store.health();
	}

}
