package io.agenthooks.spring.suspend;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a person says to a question.
 *
 * @param person who says it
 * @param verdict what
 * @param arguments the arguments that the tool shall get, as a JSON object, for
 * {@link Verdict#EDIT}, else {@code null}
 * @param reason why, which the model reads if the call is denied, or {@code null}
 * @since 0.1.0
 */
public record ApprovalAnswer(Person person, Verdict verdict, @Nullable String arguments, @Nullable String reason) {

	/**
	 * Create an answer.
	 * @throws IllegalArgumentException if there are arguments and the verdict is not
	 * {@code EDIT}, or the other way round
	 */
	public ApprovalAnswer {
		Objects.requireNonNull(person, "'person' must not be null");
		Objects.requireNonNull(verdict, "'verdict' must not be null");
		if ((arguments != null) != (verdict == Verdict.EDIT)) {
			throw new IllegalArgumentException("'arguments' belong to the verdict 'edit', and only to it");
		}
	}

	/**
	 * The answer without what people wrote and without arguments.
	 */
	@Override
	public String toString() {
		return "ApprovalAnswer[person=%s, verdict=%s]".formatted(this.person.name(), this.verdict);
	}

	/**
	 * What people can say.
	 *
	 * @since 0.1.0
	 */
	public enum Verdict {

		/** The call may run as it is. */
		APPROVE,

		/** The call may run with other arguments. */
		EDIT,

		/** The call must not run. */
		DENY,

		/**
		 * What was decided is taken back: an approval that nobody has used, or a decision
		 * that is remembered.
		 */
		REVOKE

	}

}
