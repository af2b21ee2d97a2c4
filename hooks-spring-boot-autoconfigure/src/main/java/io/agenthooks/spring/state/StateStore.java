package io.agenthooks.spring.state;

/**
 * Opens state of one kind of store.
 *
 * @since 0.1.0
 */
public interface StateStore {

	<S> KeyedState<S> open(StateTerms<S> terms);

	/**
	 * Open the same state for work that has a {@link Deadline}, so that it waits for
	 * others no longer.
	 * @param <S> what is kept of a key
	 * @param terms what is kept, and how much of it
	 * @return the state
	 */
	default <S> KeyedState<S> openHurried(StateTerms<S> terms) {
		return open(terms);
	}

}
