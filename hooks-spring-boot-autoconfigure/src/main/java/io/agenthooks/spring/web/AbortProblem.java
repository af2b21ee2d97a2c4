package io.agenthooks.spring.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * The answer to a request that a hook has ended (RFC 9457): neither why nor which hook it
 * was, which is for operators. One that waits for people is no problem, and has the ids
 * of the questions.
 */
record AbortProblem(HttpStatus status, MediaType type, Map<String, Object> members) {

	static @Nullable AbortProblem of(Throwable failure, Supplier<String> refusal) {
		AgentAbortedException aborted = AgentAbortedException.causeOf(failure);
		return (aborted != null) ? of(aborted, refusal) : null;
	}

	private static AbortProblem of(AgentAbortedException aborted, Supplier<String> refusal) {
		List<String> approvals = approvalsOf(aborted);
		HttpStatus status = (approvals.isEmpty()) ? HttpStatus.FORBIDDEN : HttpStatus.ACCEPTED;
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("title", (approvals.isEmpty()) ? "Blocked by a hook" : "Waits for approval");
		members.put("status", status.value());
		members.put("detail", (approvals.isEmpty()) ? refusal.get() : aborted.getReason());
		if (!approvals.isEmpty()) {
			members.put("approvals", approvals);
		}
		return new AbortProblem(status,
				(approvals.isEmpty()) ? MediaType.APPLICATION_PROBLEM_JSON : MediaType.APPLICATION_JSON, members);
	}

	private static List<String> approvalsOf(AgentAbortedException aborted) {
		if (aborted instanceof TurnSuspendedException call) {
			return List.of(call.getApprovalId());
		}
		return (aborted instanceof PendingTurn pending) ? pending.approvalIds() : List.of();
	}

	byte[] body() {
		return StrictJson.write(this.members);
	}

}
