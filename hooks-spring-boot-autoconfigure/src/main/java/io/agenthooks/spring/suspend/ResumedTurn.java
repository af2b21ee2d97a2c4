package io.agenthooks.spring.suspend;

import java.util.List;
import java.util.Objects;

import io.agenthooks.spring.suspend.SuspendedTurn.Reply;

/**
 * The outcome of a turn after one of its calls was resumed.
 *
 * @param request the question about that call, as it is now
 * @param turn the turn with all results that are known. If none was kept for the
 * question, it has an empty format, no messages, and the one reply
 * @since 0.1.0
 */
public record ResumedTurn(ApprovalRequest request, SuspendedTurn turn) {

	/** Create it. */
	public ResumedTurn {
		Objects.requireNonNull(request, "'request' must not be null");
		Objects.requireNonNull(turn, "'turn' must not be null");
	}

	/**
	 * Whether the agent can go on.
	 * @return whether no call of the turn waits any more
	 */
	public boolean complete() {
		return this.turn.replies().stream().noneMatch(Reply::isWaiting);
	}

	/**
	 * The questions about calls of the turn that have no result yet.
	 * @return their ids, each once, in the order of the calls
	 */
	public List<String> pending() {
		return this.turn.replies()
			.stream()
			.filter(Reply::isWaiting)
			.map((reply) -> Objects.requireNonNull(reply.approvalId()))
			.distinct()
			.toList();
	}

}
