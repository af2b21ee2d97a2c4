package io.agenthooks.toolcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * The answer of a person, or of a program for them, about a call.
 *
 * @param question what was asked, with the rule that wanted it
 * @param askedBy the name of the hook that asked, the first if there were several
 * @param answer what the approver decided: {@code APPROVE}, {@code MODIFY}, {@code DENY}
 * or {@code ABORT}; {@code ASK} if the question is kept and still waits
 * @param approver the name of the {@link ToolApprover}
 * @param person who answered, as one safe line, or {@code null} if the approver
 * {@linkplain ToolDecision#answeredBy does not say}
 * @param pending the id of the question if it is kept and still waits, otherwise
 * {@code null}
 * @since 0.1.0
 */
public record Approval(ToolDecision.Ask question, String askedBy, Verdict answer, String approver,
		@Nullable String person, @Nullable String pending) {

	/**
	 * Create an approval.
	 */
	public Approval {
		Objects.requireNonNull(question, "'question' must not be null");
		Objects.requireNonNull(answer, "'answer' must not be null");
		askedBy = SafeText.name(askedBy);
		approver = SafeText.name(approver);
		person = (person != null) ? SafeText.name(person) : null;
	}

	/**
	 * The approval without the question, which may quote arguments.
	 */
	@Override
	public String toString() {
		return "Approval[askedBy=%s, answer=%s, approver=%s, person=%s]".formatted(this.askedBy, this.answer.value(),
				this.approver, this.person);
	}

}
