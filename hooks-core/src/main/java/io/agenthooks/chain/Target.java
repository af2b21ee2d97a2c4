package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

/**
 * What gets the calls that pass a chain, and may not take every one.
 *
 * @param <C> the calls
 * @since 0.1.0
 */
@FunctionalInterface
public interface Target<C> {

	/**
	 * Why a call cannot be made like this. Asked when the call is final.
	 * @param call the call
	 * @return the objection, which the model gets to read, or {@code null} if there is
	 * none
	 */
	@Nullable String objection(C call);

}
