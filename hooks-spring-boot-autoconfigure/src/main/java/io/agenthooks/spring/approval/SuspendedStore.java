package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.SuspendedTurn;

/**
 * Keeps turns that wait for people, and the results of their calls, for all nodes.
 */
interface SuspendedStore {

	/**
	 * The last question whose approval nobody has claimed yet and that was asked about
	 * exactly this call, also if people edited it since.
	 * @param fingerprint that of the call as it was made
	 */
	Optional<ApprovalRequest> approved(String fingerprint);

	/**
	 * Let the approval of a question that is open be had by resuming its turn, and no
	 * more by the same call that is made again: that one asks anew.
	 */
	void resumeOnly(ApprovalRequest request);

	/**
	 * Keep a turn. A question that another turn waits for belongs to this one from now
	 * on.
	 * @param id the id of the turn
	 * @throws IllegalStateException if the turn cannot be kept as it is, or one of its
	 * questions is gone
	 */
	void keep(String id, SuspendedTurn turn, Instant now);

	/**
	 * The turn of a question with all results that are known, or a turn of this one call
	 * if none was kept.
	 * @throws IllegalStateException if the question is gone
	 */
	Kept find(ApprovalRequest request);

	/**
	 * Keep the result of a call, unless there is one.
	 * @return the turn with it, or with the one that there is
	 * @throws IllegalStateException if the question is gone
	 */
	Kept record(ApprovalRequest request, Result result, Instant now);

	/**
	 * What is known of a call that was resumed.
	 *
	 * @param turn its turn
	 * @param result its result, or {@code null} if none is known
	 */
	record Kept(SuspendedTurn turn, @Nullable Result result) {
	}

	/**
	 * The result of a call.
	 *
	 * @param text what the model reads
	 * @param failed whether it is a failure, such as a denial
	 */
	record Result(String text, boolean failed) {

		/**
		 * Without the text.
		 */
		@Override
		public String toString() {
			return "Result[failed=%s]".formatted(this.failed);
		}

	}

}
