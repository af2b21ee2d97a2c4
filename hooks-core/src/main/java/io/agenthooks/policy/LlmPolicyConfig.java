package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmRole;

/**
 * The rules of a policy for model calls.
 *
 * @param denyPatterns Regular expressions that must not be found in the text of a
 * message, or of the response.
 * @param roles Roles of the messages that are searched, of 'system', 'user', 'assistant'
 * and 'tool'; all unless set.
 * @param showPattern Whether the reason names the pattern that matches. Operators read it
 * in any case.
 * @param reason Why, in place of what the policy says itself.
 * @param denyDetectors Names of detectors, of 'secret', 'password', 'card', 'email',
 * 'phone', 'iban', 'ssn' and 'ip', which must not find something in the text of a
 * message, or of the response.
 * @since 0.1.0
 */
public record LlmPolicyConfig(@Nullable List<String> denyPatterns, @Nullable List<LlmRole> roles, boolean showPattern,
		@Nullable String reason, @Nullable List<String> denyDetectors) {

	/** Create a configuration; the lists are copied. */
	public LlmPolicyConfig {
		// As they are: mistakes in them are reported by the hook, all at once.
		denyPatterns = (denyPatterns != null) ? Collections.unmodifiableList(new ArrayList<>(denyPatterns)) : null;
		denyDetectors = (denyDetectors != null) ? Collections.unmodifiableList(new ArrayList<>(denyDetectors)) : null;
		roles = (roles != null) ? List.copyOf(roles) : null;
	}

}
