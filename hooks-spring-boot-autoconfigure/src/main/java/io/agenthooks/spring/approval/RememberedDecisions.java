package io.agenthooks.spring.approval;

import java.time.InstantSource;
import java.util.Optional;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

/**
 * The decisions of people that count for the very same call of the session, until their
 * time is over, somebody takes them back, or the session ends.
 */
final class RememberedDecisions {

	private final ApprovalStore store;

	private final ApprovalConfig config;

	private final InstantSource clock;

	RememberedDecisions(ApprovalStore store, ApprovalConfig config, InstantSource clock) {
		this.store = store;
		this.config = config;
		this.clock = clock;
	}

	/**
	 * Find what people decided about the same call before, if that is enough.
	 * @param fingerprint that of the call
	 * @return a question that is {@code CLAIMED} or {@code DENIED}
	 */
	Optional<ApprovalRequest> find(String fingerprint) {
		return this.store.remembered(fingerprint, this.clock.instant())
			.filter((request) -> request.fingerprint().equals(fingerprint)
					&& ApprovalRules.isRemembered(request, this.clock.instant())
					&& this.config.isRemembered(request.state()) && (request.state() == ApprovalState.DENIED
							|| ApprovalRules.approvers(request.votes()).size() >= this.config.approvals()));
	}

	/**
	 * A question as it is kept: its decision is remembered only if it is one of those
	 * that shall be.
	 */
	ApprovalRequest kept(ApprovalRequest request) {
		return (request.rememberFor() == null || request.state().isOpen() || this.config.isRemembered(request.state()))
				? request : ApprovalRules.withRememberFor(request, null);
	}

}
