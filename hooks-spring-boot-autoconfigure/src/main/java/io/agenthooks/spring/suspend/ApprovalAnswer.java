package io.agenthooks.spring.suspend;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ApprovalScope;

/**
 * The answer of a person to a question.
 *
 * @param person who says it
 * @param verdict what
 * @param arguments the arguments that the tool shall get, as a JSON object, for
 * {@link Verdict#EDIT}, else {@code null}
 * @param reason why, which the model reads if the call is denied, or {@code null}
 * @param scope the calls that the approval counts for, or {@code null} for those that the
 * configuration says
 * @param time for how long the approval counts for them, or {@code null} for as long as
 * the configuration says
 * @since 0.1.0
 */
public record ApprovalAnswer(Person person, Verdict verdict, @Nullable String arguments, @Nullable String reason,
		@Nullable ApprovalScope scope, @Nullable Duration time) {

	/**
	 * Create an answer.
	 * @throws IllegalArgumentException if there are arguments and the verdict is not
	 * {@code EDIT}, or the other way round; if there is a scope and the verdict does not
	 * approve; or if there is a time without a scope that lasts
	 */
	public ApprovalAnswer {
		Objects.requireNonNull(person, "'person' must not be null");
		Objects.requireNonNull(verdict, "'verdict' must not be null");
		if ((arguments != null) != (verdict == Verdict.EDIT)) {
			throw new IllegalArgumentException("'arguments' belong to the verdict 'edit', and only to it");
		}
		if (scope != null && verdict != Verdict.APPROVE && verdict != Verdict.EDIT) {
			throw new IllegalArgumentException("'scope' belongs to the verdicts 'approve' and 'edit'");
		}
		if (time != null && (scope == null || scope == ApprovalScope.ONCE || time.isNegative() || time.isZero())) {
			throw new IllegalArgumentException("'time' belongs to a scope that lasts, and is more than zero");
		}
	}

	/**
	 * Create an answer that counts for the calls that the configuration says.
	 * @param person who says it
	 * @param verdict what
	 * @param arguments the arguments for {@link Verdict#EDIT}, else {@code null}
	 * @param reason why, or {@code null}
	 * @throws IllegalArgumentException if there are arguments and the verdict is not
	 * {@code EDIT}, or the other way round
	 */
	public ApprovalAnswer(Person person, Verdict verdict, @Nullable String arguments, @Nullable String reason) {
		this(person, verdict, arguments, reason, null, null);
	}

	/**
	 * An approval of a call as it is, and of further calls.
	 * @param person who approves
	 * @param scope the calls that the approval counts for
	 * @param time for how long, or {@code null} for as long as the configuration says
	 * @return the answer
	 */
	public static ApprovalAnswer approve(Person person, ApprovalScope scope, @Nullable Duration time) {
		return new ApprovalAnswer(person, Verdict.APPROVE, null, null, scope, time);
	}

	/** The answer without what people wrote and without arguments. */
	@Override
	public String toString() {
		return "ApprovalAnswer[person=%s, verdict=%s]".formatted(this.person.name(), this.verdict);
	}

	/**
	 * The verdict of a person.
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
		 * A decision is taken back: an approval that nobody has used, or a decision that
		 * is remembered.
		 */
		REVOKE

	}

}
