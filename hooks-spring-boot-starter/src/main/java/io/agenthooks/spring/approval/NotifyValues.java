package io.agenthooks.spring.approval;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.approval.ApprovalAnswer.Verdict;
import io.agenthooks.spring.approval.ApprovalNotifyConfig.Event;
import io.agenthooks.spring.approval.ApprovalRequest.Vote;

/**
 * What a template may say of a question.
 */
final class NotifyValues {

	static final String ARGUMENTS = "arguments";

	static final String LINK = "link";

	/** All names, in the order in which they are told. */
	static final List<String> NAMES = List.of("event", "id", "state", "tool", "tool_name", "server", ARGUMENTS,
			"call_id", "session_id", "run_id", "agent", "user", "asked_by", "rule", "reason", "earlier_calls",
			"asked_at", "expires_at", "approvals", "decided_by", "decision_reason", LINK);

	/** Those that each question has. */
	static final List<String> ALWAYS = List.of("event", "id", "state", "tool", "tool_name", "call_id", "asked_by",
			"asked_at", "expires_at", "approvals");

	private NotifyValues() {
	}

	/**
	 * The values by their names; those that a question does not have are missing.
	 * @param arguments whether the arguments are among them
	 * @param link where to decide, or {@code null}
	 */
	static Map<String, String> of(Event event, ApprovalRequest request, boolean arguments, @Nullable URI link) {
		Map<String, String> values = new LinkedHashMap<>();
		put(values, "event", event.name().toLowerCase(Locale.ROOT));
		put(values, "id", request.id());
		put(values, "state", request.state().name().toLowerCase(Locale.ROOT));
		put(values, "tool", request.tool().modelName());
		put(values, "tool_name", request.tool().name());
		put(values, "server",
				(request.tool().isOfApplication()) ? null : Objects.requireNonNullElse(request.tool().server(), "?"));
		put(values, ARGUMENTS, (arguments) ? request.display() : null);
		put(values, "call_id", request.callId());
		put(values, "session_id", request.sessionId());
		put(values, "run_id", request.runId());
		put(values, "agent", request.agent());
		put(values, "user", request.user());
		put(values, "asked_by", request.askedBy());
		put(values, "rule", request.rule());
		put(values, "reason", request.reason());
		put(values, "earlier_calls", String.join(", ", request.earlierCalls()));
		put(values, "asked_at", request.askedAt().toString());
		put(values, "expires_at", request.expiresAt().toString());
		put(values, "approvals", String.valueOf(request.approvals()));
		put(values, "decided_by", decidedBy(request));
		put(values, "decision_reason", decisionReason(request));
		put(values, LINK, (link != null) ? link.toString() : null);
		return values;
	}

	private static void put(Map<String, String> values, String name, @Nullable String value) {
		if (value != null && !value.isEmpty()) {
			values.put(name, value);
		}
	}

	/**
	 * Who decided, or {@code null} if too few people did.
	 */
	static @Nullable String decidedBy(ApprovalRequest request) {
		Set<String> people = request.votes()
			.stream()
			.filter((vote) -> vote.verdict() == Verdict.DENY)
			.map(Vote::person)
			.collect(Collectors.toSet());
		if (people.isEmpty()
				&& (request.state() == ApprovalState.APPROVED || request.state() == ApprovalState.CLAIMED)) {
			people = ApprovalRules.approvers(request.votes());
		}
		return (people.isEmpty()) ? null : String.join(", ", people);
	}

	/**
	 * Why the last one said what that one said, or {@code null}.
	 */
	static @Nullable String decisionReason(ApprovalRequest request) {
		List<Vote> votes = request.votes();
		return (votes.isEmpty()) ? null : votes.get(votes.size() - 1).reason();
	}

}
