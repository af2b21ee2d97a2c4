package io.agenthooks.spring.approval;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.ended.SessionEnds;

/**
 * The decisions of people that count for the very same call of the session, until their
 * time is over, somebody takes them back, or the session ends.
 */
final class RememberedDecisions implements SessionEnds {

	/** Questions that are read at once. */
	private static final int BATCH = 100;

	private static final int MAX_BATCHES = 10_000;

	private final ApprovalStore store;

	private final ApprovalConfig config;

	private final InstantSource clock;

	private final Consumer<String> forget;

	/**
	 * Create them.
	 * @param forget forgets the decision about a question
	 */
	RememberedDecisions(ApprovalStore store, ApprovalConfig config, InstantSource clock, Consumer<String> forget) {
		this.store = store;
		this.config = config;
		this.clock = clock;
		this.forget = forget;
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
				? request : request.withRememberFor(null);
	}

	/**
	 * Forget the decisions of a session, and those that people have not made yet: a later
	 * session may have the same id.
	 * @throws RuntimeException if the store fails, so that some may be remembered still
	 */
	@Override
	public void ended(String session, @Nullable String user, @Nullable String agent) {
		if (session.isEmpty()) {
			return;
		}
		int limit = BATCH;
		for (int i = 0; i < MAX_BATCHES; i++) {
			List<ApprovalRequest> remembered = this.store.rememberedOf(session, this.clock.instant(), limit);
			List<ApprovalRequest> ended = remembered.stream().filter((request) -> isOf(request, user, agent)).toList();
			ended.forEach((request) -> this.forget.accept(request.id()));
			if (ended.isEmpty() && remembered.size() < limit) {
				return;
			}
			limit = remembered.size() - ended.size() + BATCH;
		}
		throw new IllegalStateException("The decisions of people that are remembered for the session kept changing");
	}

	private static boolean isOf(ApprovalRequest request, @Nullable String user, @Nullable String agent) {
		return Objects.equals(request.user(), user) && Objects.equals(request.agent(), agent);
	}

}
