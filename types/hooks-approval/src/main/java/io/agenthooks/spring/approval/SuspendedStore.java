package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.SuspendedTurn;

/** Keeps turns that wait for people, and the results of their calls, for all nodes. */
interface SuspendedStore {

	/**
	 * The last question whose approval nobody has claimed yet and that was asked about
	 * exactly this call, also if people edited it since.
	 */
	Optional<ApprovalRequest> approved(String fingerprint);

	/**
	 * Let the approval of a question that is open be had by resuming its turn, and no
	 * more by the same call that is made again: that one asks anew.
	 */
	void resumeOnly(ApprovalRequest request);

	/**
	 * Keep a turn. A question that another turn waits for belongs to this one from now
	 * on. The turn goes on by itself after so many continuations, unless that is
	 * {@link ContinuationStore#BY_HAND}.
	 */
	void keep(String id, SuspendedTurn turn, int continuations, Instant now);

	/** How far turns went on by themselves. */
	ContinuationStore continuations();

	/**
	 * The turn of a question with all results that are known, or a turn of this one call
	 * if none was kept.
	 */
	Kept find(ApprovalRequest request);

	/** Keep the result of a call, unless there is one. */
	Kept record(ApprovalRequest request, Result result, Instant now);

	/**
	 * The turn of a call that was resumed, and its result, or {@code null} if none is
	 * known.
	 */
	record Kept(SuspendedTurn turn, @Nullable Result result) {
	}

	/** The result of a call. */
	record Result(String text, boolean failed) {

		/** Without the text. */
		@Override
		public String toString() {
			return "Result[failed=%s]".formatted(this.failed);
		}

	}

}
