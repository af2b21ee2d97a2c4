package io.agenthooks.spring.audit;

import io.agenthooks.spring.outcome.PersonDecision;

/**
 * A decision of a person about a call.
 *
 * @param time when it was taken, in milliseconds since 1970
 * @param weight how much memory it takes at least, in characters
 */
record DecisionEntry(PersonDecision decision, long time, long weight) implements AuditEntry {

	static DecisionEntry of(PersonDecision decision, long time) {
		return new DecisionEntry(decision, time, ToolEntry.weigh(decision.call().arguments(), 0));
	}

	@Override
	public String kind() {
		return APPROVAL;
	}

}
