package io.agenthooks.spring.observation;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;

/** Stands for a watch that is switched off. */
final class NoWatch implements CallWatch {

	@Override
	public boolean isActive() {
		return false;
	}

	@Override
	public boolean needsHooks() {
		return true;
	}

	@Override
	public @Nullable WatchedCall begin(HookedCall call) {
		return null;
	}

}
