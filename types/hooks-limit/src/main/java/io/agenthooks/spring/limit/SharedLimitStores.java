package io.agenthooks.spring.limit;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.flow.KeyedFlowStore;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.WatchedState;

/**
 * Stores that nodes share, and other applications use, too, so that each finds its own
 * data only.
 *
 * @param store where state is kept
 * @param kind what kind of store that is
 * @param application tells the data of this application from those of others
 */
record SharedLimitStores(StateStore store, LimitConfig.Store kind, String application) implements LimitStores {

	@Override
	public String own(String hook) {
		return this.application.length() + ":" + this.application + "\n" + hook;
	}

	@Override
	public StateStore states() {
		return new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new WatchedState<>(SharedLimitStores.this.store.open(terms));
			}

		};
	}

	@Override
	public StateStore unwatched() {
		return this.store;
	}

	@Override
	public FlowStore flow(String rule) {
		return new KeyedFlowStore(states(), own(rule));
	}

}
