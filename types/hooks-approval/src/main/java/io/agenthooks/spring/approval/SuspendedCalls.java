package io.agenthooks.spring.approval;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.approval.SuspendedStore.Result;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * Keeps turns until people have decided; one thread of this node at a time resumes a
 * call.
 */
final class SuspendedCalls implements SuspendedTurns {

	private static final Logger logger = LoggerFactory.getLogger(SuspendedCalls.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final SuspendedStore store;

	private final SharedApprovals approvals;

	private final Set<String> resumed = ConcurrentHashMap.newKeySet();

	/** The supplier gives {@code null} if the application goes on with turns. */
	private final Supplier<@Nullable TurnContinuations> continuations;

	SuspendedCalls(SuspendedStore store, SharedApprovals approvals,
			Supplier<@Nullable TurnContinuations> continuations) {
		this.store = store;
		this.approvals = approvals;
		this.continuations = continuations;
	}

	@Override
	public void keep(SuspendedTurn turn) {
		Set<String> questions = new LinkedHashSet<>();
		turn.replies()
			.stream()
			.filter(Reply::isWaiting)
			.forEach((reply) -> questions.add(Objects.requireNonNull(reply.approvalId())));
		if (questions.isEmpty()) {
			throw new IllegalArgumentException("No call of the turn waits for people");
		}
		try {
			if (turn.length() > SuspendedTurn.MAX_LENGTH) {
				throw new IllegalStateException(
						"The turn is longer than the %d characters that are kept".formatted(SuspendedTurn.MAX_LENGTH));
			}
			List<ApprovalRequest> waiting = questions.stream()
				.flatMap((question) -> this.approvals.find(question).stream())
				.toList();
			TurnContinuations byItself = this.continuations.get();
			this.store.keep(KeptQuestion.newId(), turn,
					(byItself != null) ? byItself.continuationsOf(waiting) : ContinuationStore.BY_HAND,
					this.approvals.now());
		}
		catch (RuntimeException ex) {
			// Without the text of a driver, which may quote what was to be stored.
			throw (ex instanceof IllegalStateException) ? ex
					: new IllegalStateException("The turn cannot be kept: " + ex.getClass().getName());
		}
		questions.forEach(this::announceIfSettled);
	}

	@Override
	public void cancel(Collection<TurnSuspendedException> calls) {
		calls.forEach(this::cancel);
	}

	private void cancel(TurnSuspendedException call) {
		try {
			this.approvals.find(call.getApprovalId())
				.filter((request) -> request.callId().equals(call.getCall().id()))
				.ifPresent((request) -> this.approvals.cancel(request.id()));
		}
		catch (RuntimeException ex) {
			this.warnings.warn("A question to people about a turn that is over could not be cancelled: "
					+ ex.getClass().getName());
		}
	}

	/** A listener that was told before the turn was kept could not go on with it. */
	private void announceIfSettled(String question) {
		try {
			this.approvals.find(question)
				.filter((request) -> request.state() != ApprovalState.PENDING)
				.ifPresent((request) -> this.approvals.publish(new ApprovalChangedEvent(request, true)));
		}
		catch (RuntimeException ex) {
			this.warnings.warn("A question to people that was settled meanwhile could not be reported again: "
					+ ex.getClass().getName());
		}
	}

	SuspendedStore store() {
		return this.store;
	}

	boolean begin(ApprovalRequest request) {
		return this.resumed.add(request.id());
	}

	void end(ApprovalRequest request) {
		this.resumed.remove(request.id());
	}

	Optional<ApprovalRequest> approved(String fingerprint) {
		return this.store.approved(fingerprint);
	}

	/** The turn that waits for the call gets no other result. */
	void madeAgain(ApprovalRequest request) {
		try {
			this.store.record(request, new Result(TurnReplies.LATER_TURN, true), this.approvals.now());
		}
		catch (RuntimeException ex) {
			this.warnings.warn("It could not be noted that a call was made again: " + ex.getClass().getName());
		}
	}

}
