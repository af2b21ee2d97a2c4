package io.agenthooks.spring.limit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/**
 * Knows from its last use how a store of limits is that may be away.
 */
final class WatchedLimits implements LimitStore {

	private final LimitStore store;

	private final StoreWatch watch = new StoreWatch();

	WatchedLimits(LimitStore store) {
		this.store = store;
	}

	@Override
	public Answer take(List<String> keys, @Nullable String call) {
		return this.watch.use(() -> this.store.take(keys, call));
	}

	@Override
	public Answer enter(List<String> keys, @Nullable String call) {
		return this.watch.use(() -> this.store.enter(keys, call));
	}

	@Override
	public Answer look(List<String> keys, @Nullable String call) {
		return this.watch.use(() -> this.store.look(keys, call));
	}

	@Override
	public void remember(List<String> keys, String call) {
		this.watch.run(() -> this.store.remember(keys, call));
	}

	@Override
	public void leave(Place place, boolean counts) {
		this.watch.run(() -> this.store.leave(place, counts));
	}

	@Override
	public HookHealth.Report health() {
		return this.watch.health();
	}

}
