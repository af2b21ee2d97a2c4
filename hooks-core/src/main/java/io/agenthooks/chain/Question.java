package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

/**
 * Asks a hook. Made once, when the chain is.
 *
 * @param <C> the calls
 * @param <I> what the hook gets beside the call: nothing, a result or an outcome
 * @param <D> the decisions
 * @since 0.1.0
 */
@FunctionalInterface
public interface Question<C, I, D> {

	/**
	 * Ask it.
	 * @param call the call
	 * @param input what the hook gets beside the call
	 * @return its decision, which is nothing if it only learns how the call ended
	 */
	@Nullable D ask(C call, @Nullable I input);

}
