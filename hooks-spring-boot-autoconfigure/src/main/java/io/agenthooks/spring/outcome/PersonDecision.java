package io.agenthooks.spring.outcome;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookRule;
import io.agenthooks.toolcall.ToolCall;

/**
 * One decision of a person about a call, at the moment when it is taken: the call may run
 * later, or never.
 *
 * @param call the call, with the arguments that the decision is about
 * @param answer what the person said, such as {@code deny}
 * @param person the person
 * @param reason why, in words of the person, or {@code null} if there are none
 * @param approver the name of the approver that asked
 * @param request the id of the question
 * @param askedBy the hook that wanted the decision
 * @param rule the rule that wanted it, or {@code null} if the hook names none
 * @param question what was asked
 * @param state the state of the question now, such as {@code denied}
 * @param scope the calls that an approval counts for as far as it is up to this person,
 * such as {@code tool}, or {@code null} if the answer is no approval
 * @param time for how long, or {@code null} if it counts once or as long as it can
 * @since 0.1.0
 */
public record PersonDecision(ToolCall call, String answer, String person, @Nullable String reason, String approver,
		String request, String askedBy, @Nullable HookRule rule, String question, String state, @Nullable String scope,
		@Nullable Duration time) {

	/** The decision without what people wrote and without arguments. */
	@Override
	public String toString() {
		return "PersonDecision[request=%s, answer=%s, person=%s]".formatted(this.request, this.answer, this.person);
	}

	/**
	 * Is notified of each decision, once.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Watch {

		/**
		 * A person has decided. Must not wait.
		 * @param decision the decision
		 */
		void decided(PersonDecision decision);

	}

}
