package io.agenthooks.spring.approval;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.approval.LinkTokens.Linked;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * Makes links. What makes one void stands in the question, so it is void on all nodes and
 * after a restart.
 */
record SignedLinks(LinkTokens tokens, String base, Duration validFor, Set<String> approvers, ToolApprovals approvals,
		InstantSource clock) implements ApprovalLinks {

	SignedLinks {
		approvers = Set.copyOf(approvers);
	}

	@Override
	public Optional<URI> linkFor(ApprovalRequest request, Person person) {
		Set<String> authorities = new HashSet<>(person.authorities());
		authorities.retainAll(this.approvers);
		Person linked = new Person(person.name(), authorities);
		Instant now = this.clock.instant();
		Instant end = now.plus(this.validFor);
		Instant expiresAt = (end.isBefore(request.expiresAt())) ? end : request.expiresAt();
		if (!mayDecide(request, linked, now)) {
			return Optional.empty();
		}
		return Optional.of(URI.create(this.base + this.tokens.write(new Linked(request.id(), request.revision(),
				request.votes().size(), request.fingerprint(), expiresAt, linked))));
	}

	/** One who approved it may not do so again. */
	private boolean mayDecide(ApprovalRequest request, Person person, Instant now) {
		return request.state().isOpen() && !ApprovalRules.isDue(request, now)
				&& this.approvals.mayDecide(request, person)
				&& ApprovalRules.approvers(request.votes())
					.stream()
					.noneMatch((name) -> ApprovalRules.isSame(name, person.name()));
	}

	/**
	 * {@code null} if it does not work. Approvals of others since it was made do not
	 * matter, but other arguments do.
	 */
	@Nullable Opened open(String token) {
		Linked linked = this.tokens.read(token);
		Instant now = this.clock.instant();
		if (linked == null || !now.isBefore(linked.expiresAt())) {
			return null;
		}
		ApprovalRequest request = this.approvals.find(linked.id()).orElse(null);
		if (request == null || !request.id().equals(linked.id()) || request.revision() < linked.revision()
				|| request.votes().size() < linked.votes() || !request.fingerprint().equals(linked.fingerprint())
				|| isUsed(request, linked) || !mayDecide(request, linked.person(), now)) {
			return null;
		}
		return new Opened(request, linked.person());
	}

	/** Whether the person decided since the link was made, by it or in another way. */
	private static boolean isUsed(ApprovalRequest request, Linked linked) {
		return request.votes()
			.stream()
			.skip(linked.votes())
			.map(Vote::person)
			.anyMatch((name) -> ApprovalRules.isSame(name, linked.person().name()));
	}

	record Opened(ApprovalRequest request, Person person) {
	}

}
