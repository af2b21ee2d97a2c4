package io.agenthooks.spring.flow;

import io.agenthooks.AbortedRuns;
import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.spring.HookHealth;

/** The nodes share what they remember, so it can say how their store is. */
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
