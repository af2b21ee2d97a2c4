package io.agenthooks.spring.approval;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.spring.approval.SuspendedStore.Result;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;

final class TurnReplies {

	/** The text for the model in place of a result that a later turn gets. */
	static final String LATER_TURN = "The same call was made again, and that one gets the answer of the person";

	/** The text for the model of all but one of the same calls. */
	static final String SAME_CALL = "A person approved one call like this, and another one got the approval. "
			+ "Make the call again to ask for it once more";

	private TurnReplies() {
	}

	/** A turn that was not kept: the caller knows the conversation. */
	static SuspendedTurn alone(ApprovalRequest request, @Nullable Result result) {
		Object callId = (request.context() != null)
				? request.context().attributes().get(CallAttributes.PROVIDER_CALL_ID) : null;
		return new SuspendedTurn("", "",
				List.of(new Reply((callId != null) ? callId.toString() : "", request.tool().modelName(), request.id(),
						(result != null) ? result.text() : null, result != null && result.failed())));
	}

	/**
	 * Of several calls that wait for the same answer, one runs. A result is {@code null}
	 * if it is not known yet; a question without an entry belongs to a later turn.
	 */
	static SuspendedTurn withResults(SuspendedTurn turn, Map<String, @Nullable Result> results) {
		Set<String> given = new HashSet<>();
		return new SuspendedTurn(turn.format(), turn.messages(),
				turn.replies().stream().map((reply) -> withResult(reply, results, given)).toList(), turn.usersTexts(),
				turn.textsOf(), turn.origin());
	}

	private static Reply withResult(Reply reply, Map<String, @Nullable Result> results, Set<String> given) {
		String question = reply.approvalId();
		if (reply.text() != null || question == null) {
			return reply;
		}
		if (!results.containsKey(question)) {
			return with(reply, new Result(LATER_TURN, true));
		}
		Result result = results.get(question);
		if (result == null) {
			return reply;
		}
		return with(reply, (result.failed() || given.add(question)) ? result : new Result(SAME_CALL, true));
	}

	private static Reply with(Reply reply, Result result) {
		return new Reply(reply.callId(), reply.tool(), reply.approvalId(), result.text(), result.failed());
	}

}
