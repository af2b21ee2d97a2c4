package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

/**
 * Asks a hook. Made once, when the chain is.
 *
 * @param <C> the calls
 * @param <S> what it is asked about: the call itself, its result or its outcome
 * @param <D> the decisions
 * @since 0.1.0
 */
@FunctionalInterface
public interface Question<C, S, D> {

	/**
	 * Ask it.
	 * @param call the call
	 * @param subject what it is asked about
	 * @return its decision, which is nothing if it only learns how the call ended
	 */
	@Nullable D ask(C call, S subject);

}
