package io.agenthooks.spring.state;

import org.jspecify.annotations.Nullable;

/**
 * State that all nodes of the application share, beside that of limits.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SharedStates {

	/**
	 * Open state that has one key.
	 * @param <S> what is kept
	 * @param name tells it from other state of the application
	 * @param codec writes and reads what is kept
	 * @return the state, which may be lost, or {@code null} if nodes share none
	 */
	<S> @Nullable KeyedState<S> open(String name, StateCodec<S> codec);

}
