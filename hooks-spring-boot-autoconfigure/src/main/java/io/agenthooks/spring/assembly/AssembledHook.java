package io.agenthooks.spring.assembly;

import io.agenthooks.Hook;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookOptions;

record AssembledHook<H extends Hook>(ActiveHooks.Listed listed, HookEntry<H> entry) {

	boolean isDecider() {
		return this.listed.phase() != ActiveHooks.Phase.POST_CALL
				&& this.listed.options().mode() == HookOptions.Mode.ENFORCE;
	}

	AssembledHook<H> observing() {
		return new AssembledHook<>(
				new ActiveHooks.Listed(this.listed.phase(), this.listed.name(), this.listed.type(),
						this.listed.origin(), this.listed.options().observe(), this.listed.rules()),
				this.entry.observing());
	}

}
