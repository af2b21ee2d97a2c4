package io.agenthooks.spring.audit;

import io.agenthooks.spring.outcome.PersonDecision;

/**
 * A decision of a person; the time is in milliseconds since 1970, the weight in
 * characters.
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
