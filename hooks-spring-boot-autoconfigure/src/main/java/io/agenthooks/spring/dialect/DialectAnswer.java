package io.agenthooks.spring.dialect;

import io.agenthooks.spring.json.InvalidJsonException;

/** No objections, the strictest last. */
enum DialectAnswer {

	ALLOW, MODIFY, ASK;

	/**
	 * Claude Code's {@code defer} and Antigravity's {@code force_ask} wait for a person,
	 * too.
	 */
	static DialectAnswer of(Object value) {
		if (value instanceof String text) {
			switch (text) {
				case "allow", "approve" -> {
					return ALLOW;
				}
				case "modify" -> {
					return MODIFY;
				}
				case "ask", "defer", "force_ask" -> {
					return ASK;
				}
				default -> {
				}
			}
		}
		throw new InvalidJsonException("has a decision that is none of allow, approve, ask, block and deny",
				(value instanceof String word) ? word : null);
	}

	static DialectAnswer ofAction(Object value) {
		return ("continue".equals(value)) ? ALLOW : of(value);
	}

}
