package io.agenthooks.spring.limit;

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
	public Answer take(String key, @Nullable String call) {
		return this.watch.use(() -> this.store.take(key, call));
	}

	@Override
	public Answer enter(String key, @Nullable String call) {
		return this.watch.use(() -> this.store.enter(key, call));
	}

	@Override
	public Answer look(String key, @Nullable String call) {
		return this.watch.use(() -> this.store.look(key, call));
	}

	@Override
	public void remember(String key, String call) {
		this.watch.run(() -> this.store.remember(key, call));
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
