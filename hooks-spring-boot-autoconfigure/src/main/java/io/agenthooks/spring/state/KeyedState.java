package io.agenthooks.spring.state;

import java.util.List;
import java.util.Map;

import io.agenthooks.spring.HookHealth;

/**
 * The state of each key, which changes in one step, whoever else changes it at the same
 * time. The algorithm is in the change, a backend only keeps what it says.
 * <p>
 * Keys may lie in several {@linkplain StateTerms#spaces() spaces}. A change names the key
 * of each space, in their order, and an empty text for a space that it does not touch.
 *
 * @param <S> what is kept of a key
 * @since 0.1.0
 */
public interface KeyedState<S> {

	/**
	 * Change what is kept of keys, all in one step or none of it. The change may be asked
	 * more than once, if others were quicker.
	 * @param <T> what comes of it
	 * @param keys the key of each space
	 * @param full the answer if a key is new and there is no room for it; nothing is
	 * changed then
	 * @param change what changes
	 * @return what came of it
	 */
	<T> T change(List<String> keys, T full, Change<S, T> change);

	/**
	 * Say what would come of a change, without a trace.
	 * @param <T> what would come of it
	 * @param keys the key of each space
	 * @param full the answer if a key is new and there is no room for it
	 * @param change what would change
	 * @return what would come of it
	 */
	<T> T look(List<String> keys, T full, Change<S, T> change);

	/**
	 * Change what is kept of a key, as {@link #change(List, Object, Change)}.
	 * @param <T> what comes of it
	 * @param key the key in the only space
	 * @param full the answer if it is new and there is no room for it
	 * @param change what changes
	 * @return what came of it
	 */
	default <T> T change(String key, T full, ChangeOfOne<S, T> change) {
		return change(List.of(key), full, (kept, now) -> change.in(kept.get(0), now));
	}

	/**
	 * Say what would come of a change, as {@link #look(List, Object, Change)}.
	 * @param <T> what would come of it
	 * @param key the key in the only space
	 * @param full the answer if it is new and there is no room for it
	 * @param change what would change
	 * @return what would come of it
	 */
	default <T> T look(String key, T full, ChangeOfOne<S, T> change) {
		return look(List.of(key), full, (kept, now) -> change.in(kept.get(0), now));
	}

	/**
	 * The health of the store.
	 * @return what its last use told
	 */
	default HookHealth.Report health() {
		return new HookHealth.Report(HookHealth.State.UP, false, Map.of());
	}

	/**
	 * A change of the states of keys.
	 *
	 * @param <S> what is kept of a key
	 * @param <T> what comes of it
	 */
	@FunctionalInterface
	interface Change<S, T> {

		/**
		 * Change what is kept.
		 * @param kept what is kept of each key that is named, in their order
		 * @param now the time of the store, in microseconds
		 * @return what comes of it
		 */
		T in(List<Kept<S>> kept, long now);

	}

	/**
	 * A change, if there is one key.
	 *
	 * @param <S> what is kept of a key
	 * @param <T> what comes of it
	 */
	@FunctionalInterface
	interface ChangeOfOne<S, T> {

		/**
		 * Change what is kept.
		 * @param kept what is kept
		 * @param now the time of the store, in microseconds
		 * @return what comes of it
		 */
		T in(Kept<S> kept, long now);

	}

}
