package io.agenthooks.spring.limit;

import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.StoreWatch;

/**
 * Knows from its last use how a store is that may be away, of what sessions have read.
 */
final class WatchedFlows implements FlowStore, HookHealth {

	private final FlowStore store;

	private final StoreWatch watch = new StoreWatch();

	WatchedFlows(FlowStore store) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
	}

	@Override
	public String secret() {
		return this.store.secret();
	}

	@Override
	public @Nullable Known exchange(String key, Sent sent) {
		return this.watch.use(() -> Optional.ofNullable(this.store.exchange(key, sent))).orElse(null);
	}

	@Override
	public HookHealth.Report health() {
		return this.watch.health();
	}

}
