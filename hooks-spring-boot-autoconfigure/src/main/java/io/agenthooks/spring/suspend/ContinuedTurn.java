package io.agenthooks.spring.suspend;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The state of a turn that goes on by itself, and its answer.
 *
 * @param status where it stands
 * @param answer the answer of the agent, or {@code null} if there is none
 * @param reason why there is none, or not all of it, or {@code null}
 * @param approvals the questions that the agent asks meanwhile, if it asks again
 * @since 0.1.0
 */
public record ContinuedTurn(Status status, @Nullable String answer, @Nullable String reason, List<String> approvals) {

	/** Create the state of a turn. */
	public ContinuedTurn {
		Objects.requireNonNull(status, "'status' must not be null");
		approvals = List.copyOf(approvals);
	}

	/** The state without the answer. */
	@Override
	public String toString() {
		return "ContinuedTurn[status=%s, approvals=%s]".formatted(this.status, this.approvals);
	}

	/**
	 * The state of a turn.
	 *
	 * @since 0.1.0
	 */
	public enum Status {

		/** It waits for people, or to be tried again. */
		WAITING,

		/** The agent goes on at the moment. */
		RUNNING,

		/** There is an answer. */
		ANSWERED,

		/** The agent made further calls that people have to decide about. */
		PENDING,

		/** It failed, and is not tried again. */
		FAILED,

		/** The run or the session was ended, or the tools were switched off. */
		ENDED,

		/** It cannot go on as the user asked for it, so nothing was done. */
		REFUSED;

		/**
		 * Whether nothing changes any more.
		 * @return {@code false} if the turn waits or goes on
		 */
		public boolean isEnd() {
			return this != WAITING && this != RUNNING;
		}

	}

}
