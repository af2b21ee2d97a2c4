package io.agenthooks.toolcall;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * The answer of a person, or of a program for them, about a call.
 *
 * @param question what was asked, with the rule that wanted it
 * @param askedBy the name of the hook that asked, the first if there were several
 * @param answer {@code APPROVE}, {@code MODIFY}, {@code DENY} or {@code ABORT};
 * {@code ASK} if the question is kept and still waits
 * @param approver the name of the {@link ToolApprover}
 * @param answered who answered, or {@code null} if the approver does not say
 * @param pending the id of a question that is kept and still waits, or {@code null}
 * @since 0.1.0
 */
public record Approval(ToolDecision.Ask question, String askedBy, Verdict answer, String approver,
		@Nullable Answered answered, @Nullable String pending) {

	public Approval {
		Objects.requireNonNull(question, "'question' must not be null");
		Objects.requireNonNull(answer, "'answer' must not be null");
		askedBy = SafeText.name(askedBy);
		approver = SafeText.name(approver);
	}

	/**
	 * Return the person who answered.
	 * @return the person, as one safe line, or {@code null} if the approver does not say
	 */
	public @Nullable String person() {
		return (this.answered != null) ? this.answered.person() : null;
	}

	/**
	 * The question that was kept.
	 * @return its id, or {@code null} if the approver keeps no questions
	 */
	public @Nullable String request() {
		return (this.answered != null) ? this.answered.request() : this.pending;
	}

	/**
	 * Return the time of a decision about an earlier call that was remembered for this
	 * one.
	 * @return the time, or {@code null} if the person was asked about this call
	 */
	public @Nullable Instant rememberedSince() {
		return (this.answered != null) ? this.answered.rememberedSince() : null;
	}

	/** The approval without the question, which may quote arguments. */
	@Override
	public String toString() {
		return "Approval[askedBy=%s, answer=%s, approver=%s, person=%s]".formatted(this.askedBy, this.answer.value(),
				this.approver, person());
	}

}
