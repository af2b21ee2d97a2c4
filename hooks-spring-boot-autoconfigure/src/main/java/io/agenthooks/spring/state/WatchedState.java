package io.agenthooks.spring.state;

import java.util.List;

import io.agenthooks.spring.HookHealth;

/**
 * State of which its last use tells how its store is, which may be away.
 *
 * @param <S> what is kept of a key
 * @since 0.1.0
 */
public final class WatchedState<S> implements KeyedState<S> {

	private final KeyedState<S> state;

	private final StoreWatch watch = new StoreWatch();

	public WatchedState(KeyedState<S> state) {
		this.state = state;
	}

	@Override
	public <T> T change(List<String> keys, T full, Change<S, T> change) {
		return this.watch.use(() -> this.state.change(keys, full, change));
	}

	@Override
	public <T> T look(List<String> keys, T full, Change<S, T> change) {
		return this.watch.use(() -> this.state.look(keys, full, change));
	}

	@Override
	public HookHealth.Report health() {
		return this.watch.health();
	}

}
