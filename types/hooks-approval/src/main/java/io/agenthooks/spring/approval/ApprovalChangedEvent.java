package io.agenthooks.spring.approval;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * A question was asked, answered or settled. It is an event of the application context of
 * each node that learns of it: the one that made the change, and those that wait for the
 * answer. The same change may come more than once, and a later one before an earlier one.
 * <p>
 * Listeners run on the thread of the call or of the person, so they must not wait. What
 * they throw changes nothing.
 *
 * @param request the question as it is now
 * @param resumable whether the application can {@linkplain ToolApprovals#resume(String)
 * resume} the call now: its turn had ended, and people have decided or the time is over.
 * Told once more when a turn is {@linkplain SuspendedTurns#keep kept} whose question was
 * settled before. There is one more event, with {@code false}, when it is resumed
 * @since 0.1.0
 */
public record ApprovalChangedEvent(ApprovalRequest request, boolean resumable) {

	/**
	 * Create the event of a question that changed.
	 * @param request the question as it is now
	 */
	public ApprovalChangedEvent(ApprovalRequest request) {
		this(request, request.isSuspended() && isDecided(request.state()));
	}

	private static boolean isDecided(ApprovalState state) {
		return switch (state) {
			case APPROVED, DENIED, EXPIRED, CANCELLED -> true;
			case PENDING, CLAIMED -> false;
		};
	}

}
