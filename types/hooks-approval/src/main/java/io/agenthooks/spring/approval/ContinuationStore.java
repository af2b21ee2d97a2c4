package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ContinuedTurn;

/**
 * Keeps how far turns went on by themselves, and lets one node at a time go on with each.
 * Who has claimed a turn has it until the lease is over, unless it was ended meanwhile.
 * Whether a lease is over is told by the clock of the store.
 */
interface ContinuationStore {

	/** The number of continuations in place of one, of a turn that goes on by hand. */
	int BY_HAND = -1;

	Optional<ContinuedTurn> find(String question);

	/**
	 * Claim the turn of a question; {@code null} if nobody has to go on, or another does.
	 */
	@Nullable Claim claim(String question, String owner, Instant until);

	boolean renew(Claim claim, Instant until);

	/**
	 * Note that the agent is about to run a tool: it cannot go on again from the start.
	 * {@code false} if it must not run.
	 */
	boolean beginTool(Claim claim, Instant until);

	/** Give a turn back, to be claimed later. */
	boolean release(Claim claim, boolean tried, Instant next);

	/** Keep the end of a turn, once. */
	boolean finish(Claim claim, ContinuedTurn end, Instant now);

	/** Questions that people have decided, of turns that somebody has to go on with. */
	List<String> due(int limit);

	/**
	 * Questions of a run, or of a session if no run is given, whose turns are not over.
	 */
	List<ApprovalRequest> unfinishedOf(@Nullable String run, @Nullable String session, int limit);

	void end(String question, ContinuedTurn end, Instant now);

	/** End the turns of a run, or of a session if no run is given. */
	default void endAll(@Nullable String run, @Nullable String session, Predicate<ApprovalRequest> which, int limit,
			Instant now) {
		unfinishedOf(run, session, limit).stream()
			.filter(which)
			.forEach((request) -> end(request.id(),
					new ContinuedTurn(ContinuedTurn.Status.ENDED, null, "The run or the session was ended.", List.of()),
					now));
	}

	/** The right to go on with a turn. */
	record Claim(String turn, String owner, int continuations, int attempts, int calls) {
	}

}
