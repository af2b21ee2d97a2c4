package io.agenthooks.spring.limit;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.agenthooks.spring.state.KeyedState;

/**
 * State whose store can be away.
 *
 * @param <S> what is kept of a key
 */
record BreakableState<S>(KeyedState<S> state, AtomicBoolean away) implements KeyedState<S> {

	private KeyedState<S> reached() {
		if (this.away.get()) {
			throw new IllegalStateException("away");
		}
		return this.state;
	}

	@Override
	public <T> T change(List<String> keys, T full, Change<S, T> change) {
		return reached().change(keys, full, change);
	}

	@Override
	public <T> T look(List<String> keys, T full, Change<S, T> change) {
		return reached().look(keys, full, change);
	}

}
