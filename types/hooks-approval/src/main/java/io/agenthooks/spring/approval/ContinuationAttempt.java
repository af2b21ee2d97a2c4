package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.SafeText;
import io.agenthooks.spring.approval.ContinuationStore.Claim;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurn.Status;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;

/**
 * One attempt to go on with a turn. A call that ran has its result on record, so a later
 * attempt goes on with that.
 */
record ContinuationAttempt(SharedApprovals approvals, Supplier<SuspendedStore> turns,
		Supplier<Map<String, ConversationContinuation>> continuations,
		Function<ApprovalRequest, @Nullable String> whyStopped) {

	static final int MAX_CONTINUATIONS = 20;

	static final int MAX_ATTEMPTS = 5;

	static final int MAX_ANSWER = 200_000;

	private static final Logger logger = LoggerFactory.getLogger(ContinuationAttempt.class);

	/** Go on; the last one asks the agent. */
	Result run(ContinuationLease lease, ApprovalRequest request,
			BiFunction<ConversationContinuation, ResumedTurn, String> ask) {
		Claim claim = lease.claim();
		if (claim.calls() > 0) {
			return failed("The node that let the agent go on is gone, and the agent had begun to run tools. "
					+ "What they did is not known here, so it does not go on again.");
		}
		if (claim.attempts() > MAX_ATTEMPTS) {
			return failed("It was tried %d times, and did not come to an end.".formatted(MAX_ATTEMPTS));
		}
		if (claim.continuations() >= MAX_CONTINUATIONS) {
			return failed("The agent asked people %d times in one turn.".formatted(MAX_CONTINUATIONS));
		}
		String stopped = this.whyStopped.apply(request);
		if (stopped != null) {
			return ended(stopped);
		}
		SuspendedTurn turn = this.turns.get().find(request).turn();
		ConversationContinuation continuation = continuationOf(turn);
		String objection = objection(continuation, turn, request);
		if (continuation == null || objection != null) {
			return refused(Objects.requireNonNullElse(objection, "Nothing goes on with it."));
		}
		for (String question : new ResumedTurn(request, turn).pending()) {
			Result result = resume(question, continuation, turn);
			if (result != null) {
				return result;
			}
		}
		ResumedTurn resumed = new ResumedTurn(this.approvals.find(request.id()).orElse(request),
				this.turns.get().find(request).turn());
		if (!resumed.complete()) {
			return new Result(null, resumed.pending(), "");
		}
		stopped = this.whyStopped.apply(request);
		return (stopped != null) ? ended(stopped) : goOn(lease, continuation, resumed, ask);
	}

	/** That with the name, or else that of the framework. */
	private @Nullable ConversationContinuation continuationOf(SuspendedTurn turn) {
		Map<String, ConversationContinuation> all = this.continuations.get();
		Origin origin = turn.origin();
		ConversationContinuation named = (origin != null && origin.client() != null) ? all.get(origin.client()) : null;
		return (named != null && named.format().isEmpty()) ? named
				: all.values()
					.stream()
					.filter((each) -> !each.format().isEmpty() && each.format().equals(turn.format()))
					.findFirst()
					.orElse(null);
	}

	private static @Nullable String objection(@Nullable ConversationContinuation continuation, SuspendedTurn turn,
			ApprovalRequest request) {
		Origin origin = turn.origin();
		if (origin == null) {
			return "It is not known which client was asked.";
		}
		if (origin.objection() != null) {
			return origin.objection();
		}
		if (origin.client() == null || continuation == null) {
			return "There is no ConversationContinuation bean for it.";
		}
		return continuation.objection(turn, request);
	}

	/** {@code null} if the turn can go on so far. */
	private @Nullable Result resume(String question, ConversationContinuation continuation, SuspendedTurn turn) {
		ApprovalRequest request = this.approvals.find(question).orElse(null);
		if (request == null || request.state() == ApprovalState.PENDING) {
			return null;
		}
		if (request.state() == ApprovalState.CANCELLED) {
			return ended(
					"The question about a call became void: its run was ended, or the call was made in another way.");
		}
		try {
			ResumedTurn unused = this.approvals.resume(question, continuation.tools(turn));
			return null;
		}
		catch (ApprovalRefusedException ex) {
			return switch (ex.reason()) {
				case NOT_DECIDED -> null;
				case NO_TOOL -> refused("The tool of a call is not known here, or there are several.");
				case SETTLED ->
					failed("A call was started before, and its result is not known. It may have run, so neither "
							+ "it nor the agent goes on.");
				case CHANGED -> retry("A call is being resumed");
				case UNKNOWN, NOT_ALLOWED, INVALID_EDIT -> ended("A question is gone.");
			};
		}
		catch (AgentAbortedException ex) {
			return ended(ex.getReason());
		}
		catch (RuntimeException | LinkageError ex) {
			// What a tool threw is the result of the call. What else failed has left no
			// result, and is tried again.
			logger.debug("A call that waited for people failed", ex);
			return (this.turns.get().find(request).result() != null) ? null : retry(ex.getClass().getName());
		}
	}

	private Result goOn(ContinuationLease lease, ConversationContinuation continuation, ResumedTurn resumed,
			BiFunction<ConversationContinuation, ResumedTurn, String> ask) {
		try {
			String answer = ask.apply(continuation, resumed);
			String kept = (answer.length() <= MAX_ANSWER) ? answer : answer.substring(0, MAX_ANSWER);
			return end(new ContinuedTurn(Status.ANSWERED, kept,
					(kept.length() < answer.length())
							? "The answer is longer than the %d characters that are kept.".formatted(MAX_ANSWER) : null,
					List.of()));
		}
		catch (ApprovalPendingException ex) {
			return end(new ContinuedTurn(Status.PENDING, null, null, ex.approvalIds()));
		}
		catch (AgentAbortedException ex) {
			String stopped = lease.stopped();
			return (stopped != null) ? failed(stopped + ".") : ended(ex.getReason());
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("An agent could not go on", ex);
			String name = ex.getClass().getName();
			return (lease.hasRunTools())
					? failed(("The agent failed with %s after it had run tools. These must not run "
							+ "again, so it does not go on again.")
						.formatted(SafeText.name(name)))
					: retry(name);
		}
	}

	static Result failed(String reason) {
		return end(new ContinuedTurn(Status.FAILED, null, SafeText.reason(reason), List.of()));
	}

	private static Result ended(String reason) {
		return end(new ContinuedTurn(Status.ENDED, null, SafeText.reason(reason), List.of()));
	}

	private static Result refused(String reason) {
		return end(new ContinuedTurn(Status.REFUSED, null, SafeText.reason(reason), List.of()));
	}

	private static Result end(ContinuedTurn end) {
		return new Result(end, List.of(), "");
	}

	static Result retry(String failure) {
		return new Result(null, List.of(), failure);
	}

	/**
	 * The end; or questions that wait; or else a failure after which it is tried again.
	 */
	record Result(@Nullable ContinuedTurn end, List<String> pending, String failure) {
	}

}
