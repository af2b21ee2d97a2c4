package io.agenthooks.spring.expression;

import java.util.List;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The mistake of an application that has an expression, and nothing that reads it.
 *
 * @since 0.1.0
 */
public final class MissingLanguage {

	private MissingLanguage() {
	}

	/**
	 * Name the dependency to add.
	 * @param option the option of a hook in which there is an expression, or are some
	 * @return the mistake, to be thrown
	 */
	public static InvalidHookConfigException of(String option) {
		return new InvalidHookConfigException(List.of(new Problem(List.of(option),
				"Conditions and expressions are in CEL, which needs the dependency io.agenthooks:hooks-policy-cel.",
				"Add the dependency io.agenthooks:hooks-policy-cel.")));
	}

}
