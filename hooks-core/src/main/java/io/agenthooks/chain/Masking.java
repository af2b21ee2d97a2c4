package io.agenthooks.chain;

import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.HookDecision;

/**
 * The part of a kind whose calls have arguments: it masks them for what sends calls out,
 * and for events.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @since 0.1.0
 */
public interface Masking<C extends HookedCall, D extends HookDecision> {

	/**
	 * Mask a call.
	 * @param call the call
	 * @param mask masks its arguments
	 * @return the same object if nothing is masked, or {@code null} if it cannot be
	 * masked
	 */
	@Nullable C masked(C call, ArgumentsMask mask);

	/**
	 * Take the arguments out of a call.
	 * @param call the call
	 * @return the call without them
	 */
	C withoutArguments(C call);

	/**
	 * Translate a decision about a masked call to the call itself.
	 * @param call the call
	 * @param view the same as it was seen
	 * @param decision the decision, which modifies
	 * @return the decision about the call; a denial if it changes what is masked
	 */
	D unmasked(C call, C view, D decision);

	/**
	 * A decision as others get to see it.
	 * @param decision the decision
	 * @param view the call that it leads to, as it may be seen
	 * @return the decision
	 */
	D masked(D decision, C view);

	/**
	 * An outcome as others get to see it.
	 * @param <O> the kind of outcome
	 * @param outcome the outcome
	 * @param view gives what may be seen of a call
	 * @return the outcome with such calls
	 */
	<O> O masked(O outcome, UnaryOperator<C> view);

}
