package io.agenthooks.spring.dialect;

import io.agenthooks.spring.json.InvalidJsonException;

/**
 * The answers of a command that are no objection, the strictest last.
 */
enum DialectAnswer {

	ALLOW, MODIFY, ASK;

	/**
	 * Read an answer. Claude Code's {@code defer} and Antigravity's {@code force_ask}
	 * wait for a person, as asking does.
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
