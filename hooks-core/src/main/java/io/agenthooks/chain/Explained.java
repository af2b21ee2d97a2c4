package io.agenthooks.chain;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.HookDecision;

/**
 * The explanation of a call that nobody makes: the decision, and the answer of each hook.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @param call the call as the hooks would leave it
 * @param decision what they would decide together; a question if a person would be asked
 * @param decidedBy whose decision that is, or {@code null} if nobody objects
 * @param hooks what each hook says
 * @since 0.1.0
 */
public record Explained<C extends HookedCall, D extends HookDecision>(C call, D decision, @Nullable String decidedBy,
		List<Answer<D>> hooks) {

	public Explained {
		hooks = List.copyOf(hooks);
	}

	/**
	 * The answer of one hook, or built-in decider.
	 *
	 * @param <D> the decisions
	 * @param name its name
	 * @param isBuiltIn whether it is no hook
	 * @param decision its decision, whether it counts or not; {@code null} if it was not
	 * asked
	 * @param observed whether its decision does not count
	 * @param whyNotAsked why it could not be asked, or {@code null} if it could, or was
	 * not to be
	 * @since 0.1.0
	 */
	public record Answer<D extends HookDecision>(String name, boolean isBuiltIn, @Nullable D decision, boolean observed,
			@Nullable String whyNotAsked) {
	}

	/**
	 * A built-in decider that denies a call.
	 *
	 * @param decider who denies
	 * @param reason why
	 * @since 0.1.0
	 */
	public record Refusal(BuiltInDecider decider, String reason) {
	}

}
