package io.agenthooks.spring.approval;

import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.spring.outcome.SessionEnds;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

/**
 * A later session may have the same id, so no decision about a call of the old one
 * counts.
 */
record EndedSessions(ApprovalStore store, InstantSource clock, Settling settling) implements SessionEnds {

	private static final Logger logger = LoggerFactory.getLogger(EndedSessions.class);

	private static final int BATCH = 100;

	private static final int MOST = 1_000_000;

	/**
	 * A turn that waits for people may still be resumed: it belongs to the session that
	 * asked them. Without a user or agent, those of all.
	 */
	@Override
	public void ended(String session, @Nullable String user, @Nullable String agent) {
		if (session.isEmpty()) {
			return;
		}
		Calls calls = new Calls(user, agent);
		SuspendedStore turns = this.store.suspended();
		if (turns != null) {
			turns.continuations().endAll(null, session, calls::include, MOST, this.clock.instant());
		}
		int limit = BATCH;
		while (!endOpen(session, calls, limit) || !forget(session, calls, limit)) {
			if (limit >= MOST) {
				throw new IllegalStateException("The questions of the session are too many to end them all");
			}
			limit *= 10;
		}
	}

	/** Void approvals, and keep those of questions that wait from calls made again. */
	private boolean endOpen(String session, Calls calls, int limit) {
		List<String> open = this.store.openOf(null, session, limit);
		open.forEach((id) -> settle(id, (last) -> (calls.include(last)) ? ended(last) : last));
		return open.size() < limit;
	}

	private ApprovalRequest ended(ApprovalRequest last) {
		if (last.state() == ApprovalState.APPROVED) {
			return ApprovalRules.cancelled(last);
		}
		SuspendedStore turns = this.store.suspended();
		if (turns != null && last.isSuspended()) {
			// Whoever approves it meanwhile approves it for its turn, too.
			turns.resumeOnly(last);
		}
		return last;
	}

	private boolean forget(String session, Calls calls, int limit) {
		List<ApprovalRequest> remembered = this.store.rememberedOf(session, this.clock.instant(), limit);
		remembered.stream().filter(calls::include).forEach((request) -> settle(request.id(), ApprovalRules::forgotten));
		return remembered.size() < limit;
	}

	/** A question that cannot be read is no approval, and must not keep others. */
	private void settle(String id, UnaryOperator<ApprovalRequest> change) {
		try {
			this.settling.settle(id, change);
		}
		catch (UnreadableQuestionException ex) {
			logger.debug("A question of a session that ended cannot be read", ex);
		}
	}

	@FunctionalInterface
	interface Settling {

		void settle(String id, UnaryOperator<ApprovalRequest> change);

	}

	private record Calls(@Nullable String user, @Nullable String agent) {

		boolean include(ApprovalRequest request) {
			return (this.user == null || this.user.equals(request.user()))
					&& (this.agent == null || this.agent.equals(request.agent()));
		}

	}

}
