package io.agenthooks.toolcall;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;

/**
 * The person behind the answer of a {@link ToolApprover}.
 *
 * @param person the name of the person, as one safe line
 * @param request the id of the question that the person answered, as one safe line, or
 * {@code null} if the approver keeps no questions
 * @param rememberedSince when the person decided about an earlier call, if that decision
 * was remembered for this one; {@code null} if the person was asked about this call
 * @since 0.1.0
 */
public record Answered(String person, @Nullable String request, @Nullable Instant rememberedSince) {

	public Answered {
		person = SafeText.name(person);
		request = (request != null) ? SafeText.name(request) : null;
	}

}
