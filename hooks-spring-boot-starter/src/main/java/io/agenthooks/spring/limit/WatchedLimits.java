package io.agenthooks.spring.limit;

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
	public Answer take(String key) {
		return this.watch.use(() -> this.store.take(key));
	}

	@Override
	public Answer enter(String key) {
		return this.watch.use(() -> this.store.enter(key));
	}

	@Override
	public Answer look(String key) {
		return this.watch.use(() -> this.store.look(key));
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
