package io.agenthooks.spring.ai;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.model.tool.ToolExecutionResult;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * Ends a turn if calls of it wait for people: the conversation is kept, and the client
 * gets an {@link ApprovalPendingException}. If it cannot be kept, its calls are denied.
 *
 * @param turns gives {@code null} if nothing keeps turns
 */
record TurnEnd(Supplier<@Nullable SuspendedTurns> turns) {

	private static final Logger logger = LoggerFactory.getLogger(TurnEnd.class);

	ToolExecutionResult end(ToolCallBatch batch, ToolExecutionResult result) {
		List<TurnSuspendedException> waiting = batch.waiting();
		return (waiting.isEmpty()) ? result : suspend(batch, result, waiting);
	}

	/** The turn ends in another way, so nobody will ask for what waits. */
	void cancel(ToolCallBatch batch) {
		cancel(batch.waiting());
	}

	private ToolExecutionResult suspend(ToolCallBatch batch, ToolExecutionResult result,
			List<TurnSuspendedException> waiting) {
		SuspendedTurns turns = this.turns.get();
		if (turns == null) {
			// The calls can be resumed, but there is no conversation to put results into.
			throw new ApprovalPendingException(waiting);
		}
		String problem = keep(turns, batch, result);
		if (problem == null) {
			throw new ApprovalPendingException(waiting);
		}
		cancel(waiting);
		return batch.deny(result, ("Tool call denied: it needs the approval of a person, and this conversation "
				+ "cannot be kept until then, because %s")
			.formatted(problem));
	}

	/** The result says why it cannot be kept, or is {@code null}. */
	private static @Nullable String keep(SuspendedTurns turns, ToolCallBatch batch, ToolExecutionResult result) {
		String problem = ConversationJson.problem(batch.conversation());
		if (problem != null) {
			return problem;
		}
		try {
			SuspendedTurn turn = batch.suspendedTurn(result);
			if (turn == null) {
				return "not every call has a reply";
			}
			turns.keep(turn);
			return null;
		}
		catch (InvalidJsonException ex) {
			return "it is too long";
		}
		catch (RuntimeException ex) {
			logger.warn("A turn that waits for people cannot be kept: {}; its calls are denied (stack trace at DEBUG)",
					ex.getClass().getName());
			logger.debug("A turn that waits for people cannot be kept", ex);
			return "it is too long or the store is away";
		}
	}

	private void cancel(List<TurnSuspendedException> waiting) {
		try {
			SuspendedTurns turns = (waiting.isEmpty()) ? null : this.turns.get();
			if (turns != null) {
				turns.cancel(waiting);
			}
		}
		catch (RuntimeException ex) {
			// Nothing runs before somebody resumes it; why the turn ends matters more.
			logger.warn("Questions to people could not be cancelled: {} (stack trace at DEBUG)",
					ex.getClass().getName());
			logger.debug("Questions to people could not be cancelled", ex);
		}
	}

}
