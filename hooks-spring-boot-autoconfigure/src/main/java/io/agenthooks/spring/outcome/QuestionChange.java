package io.agenthooks.spring.outcome;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;

/**
 * A change of what becomes of a question to people.
 *
 * @param call the call that it is about, without arguments
 * @param request the id of the question
 * @param askedBy the hook that wants the decision
 * @param rule the rule that wants it, or {@code null} if the hook names none
 * @param state what became of it
 * @since 0.1.0
 */
public record QuestionChange(ToolCall call, String request, String askedBy, @Nullable String rule, State state) {

	/**
	 * The fate of a question.
	 *
	 * @since 0.1.0
	 */
	public enum State {

		/** People were asked. */
		ASKED,

		/** As many people as needed approved. */
		APPROVED,

		/** The approval was used to run the call. */
		CLAIMED,

		/** A person denied. */
		DENIED,

		/** The time was over before people had decided. */
		EXPIRED,

		/** People approved, and the time was over before the call was made. */
		UNUSED,

		/** The question became void. */
		CANCELLED

	}

	/**
	 * Is notified of each change, once on all nodes.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Watch {

		/**
		 * A question has changed. Must not wait.
		 * @param change the change
		 */
		void changed(QuestionChange change);

	}

}
