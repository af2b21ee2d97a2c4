package io.agenthooks.spring.suspend;

import java.util.List;

import io.agenthooks.AbortScope;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.web.PendingTurn;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * The turn of an agent ends because calls of it wait for people. The turn is kept: when
 * people have decided, {@link ToolApprovals#resume(String) resume} runs the calls, and
 * the agent can go on.
 *
 * @since 0.1.0
 */
public final class ApprovalPendingException extends AgentAbortedException implements PendingTurn {

	private static final long serialVersionUID = 1L;

	private static final int MAX_CAUSES = 100;

	private final transient List<String> approvalIds;

	/**
	 * Create the exception of a turn that is kept.
	 * @param calls those of the calls that wait, at least one
	 */
	public ApprovalPendingException(List<TurnSuspendedException> calls) {
		this(calls.get(0).getHook(), calls.stream().map(TurnSuspendedException::getApprovalId).distinct().toList());
	}

	private ApprovalPendingException(String hook, List<String> approvalIds) {
		super("The turn waits for the approval of people: " + requests(approvalIds), hook,
				"The turn waits for the approval of people (%s).".formatted(requests(approvalIds)), AbortScope.TURN);
		this.approvalIds = approvalIds;
	}

	/**
	 * Choose between an exception of a tool and the end of the turn. If it made another
	 * call that waits, that call is not the one of the tool, which has begun and cannot
	 * be resumed: the turn ends, and is not kept.
	 * @param failure what the tool has thrown
	 * @return the exception that ends the turn, or {@code failure} if no call inside of
	 * the tool waits
	 */
	public static RuntimeException orFailure(RuntimeException failure) {
		Throwable cause = failure;
		// What a tool throws may be its own cause.
		for (int depth = 0; depth < MAX_CAUSES && cause != null; depth++, cause = cause.getCause()) {
			if (cause instanceof TurnSuspendedException inner) {
				return new ApprovalPendingException(List.of(inner));
			}
		}
		return failure;
	}

	private static String requests(List<String> approvalIds) {
		return ((approvalIds.size() == 1) ? "request " : "requests ") + String.join(", ", approvalIds);
	}

	@Override
	public List<String> approvalIds() {
		return this.approvalIds;
	}

	@Override
	public boolean isPending() {
		return true;
	}

}
