package io.agenthooks.spring.state;

import java.util.List;

/**
 * The kind and the bounds of the state that is kept.
 *
 * @param <S> what is kept of a key
 * @param spaces the names of the spaces that keys are in, by which nodes that share a
 * store find them: at most 64 characters each
 * @param maxKeys how many keys of each space are kept at most
 * @param full what becomes of a new key if there are so many others
 * @param restores whether a change knows what to do if the store lost what was kept;
 * otherwise such a key is refused
 * @param codec writes and reads what is kept
 * @since 0.1.0
 */
public record StateTerms<S>(List<String> spaces, int maxKeys, WhenFull full, boolean restores, StateCodec<S> codec) {

	public StateTerms {
		spaces = List.copyOf(spaces);
	}

	/** The fate of a new key if there is no room for it. */
	public enum WhenFull {

		/** It is refused: to forget another one would be a way to reset that. */
		REFUSE,

		/** The keys that would be over first are forgotten. */
		FORGET_OLDEST

	}

}
