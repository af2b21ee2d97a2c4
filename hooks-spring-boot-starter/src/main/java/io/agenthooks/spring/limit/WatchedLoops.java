package io.agenthooks.spring.limit;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/**
 * Knows from its last use how a store of runs is that may be away.
 */
final class WatchedLoops implements LoopStore {

	private final LoopStore store;

	private final StoreWatch watch = new StoreWatch();

	WatchedLoops(LoopStore store) {
		this.store = store;
	}

	@Override
	public Entered enter(String run, String call, String tool) {
		return this.watch.use(() -> this.store.enter(run, call, tool));
	}

	@Override
	public void end(Run run, String call, String tool, String result, @Nullable Boolean failed) {
		this.watch.run(() -> this.store.end(run, call, tool, result, failed));
	}

	@Override
	public void leave(Run run) {
		this.watch.run(() -> this.store.leave(run));
	}

	@Override
	public RunCalls.Looked look(String run, String call, String tool) {
		return this.watch.use(() -> this.store.look(run, call, tool));
	}

	@Override
	public HookHealth.Report health() {
		return this.watch.health();
	}

}
