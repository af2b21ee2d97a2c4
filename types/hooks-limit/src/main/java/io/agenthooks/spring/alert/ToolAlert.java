package io.agenthooks.spring.alert;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.spring.outcome.EndedCall;
import io.agenthooks.spring.outcome.QuestionChange;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * An alert about calls of tools, as an event of the application. It holds no arguments,
 * results, reasons and messages of exceptions. Texts that models and clients choose are
 * cut at 256 bytes.
 *
 * @param name the name of the hook that alerts
 * @param at when
 * @param callId the id of the call that made the alert
 * @param tool the name of its tool, as the model sees it
 * @param server the MCP server of the tool, or {@code null}
 * @param status how the call ended, such as {@code denied}; {@code expired} of a question
 * to people
 * @param verdict what the hooks decided together, such as {@code deny}
 * @param decidedBy whose decision that is, a hook or the approver, or {@code null}
 * @param rule the name of the rule by which they objected, or {@code null}
 * @param failure the class of the exception that reached the caller, or {@code null}
 * @param failedOpen the hooks that failed while the call passed
 * @param wouldDeny the hooks that only observed, and would have denied
 * @param sessionId the session, or {@code null}
 * @param runId the run, or {@code null}
 * @param user the user, or {@code null}
 * @param agent the agent, or {@code null}
 * @param workspace the workspace
 * @param times how many calls make such an alert
 * @param silenced how many alerts of the same key were silenced since the last one
 * @param summary whether no further call made this alert: a silence is over, and it tells
 * how many alerts that kept back, of which the call made the first
 * @since 0.1.0
 */
public record ToolAlert(String name, Instant at, String callId, String tool, @Nullable String server, String status,
		String verdict, @Nullable String decidedBy, @Nullable String rule, @Nullable String failure,
		List<String> failedOpen, List<String> wouldDeny, @Nullable String sessionId, @Nullable String runId,
		@Nullable String user, @Nullable String agent, @Nullable String workspace, int times, long silenced,
		boolean summary) {

	/**
	 * Create an alert.
	 */
	public ToolAlert {
		failedOpen = List.copyOf(failedOpen);
		wouldDeny = List.copyOf(wouldDeny);
	}

	static ToolAlert of(String name, ToolOutcome outcome, Instant at, int times, long silenced) {
		ToolCall call = outcome.effective();
		CallContext context = call.context();
		EndedCall end = EndedCall.of(outcome);
		return new ToolAlert(name, at, SafeText.name(call.id()), SafeText.name(call.tool()),
				safe(call.identity().server()), end.status(), end.verdict(), safe(end.decidedBy()),
				(end.rule() != null) ? safe(end.rule().name()) : null, end.failure(), end.failedOpen(), end.wouldDeny(),
				safe(context.sessionId()), safe(context.runId()), safe(context.user()), safe(context.agent()),
				safe(context.workspace()), times, silenced, false);
	}

	static ToolAlert of(String name, QuestionChange expired, Instant at, int times, long silenced) {
		ToolCall call = expired.call();
		CallContext context = call.context();
		return new ToolAlert(name, at, SafeText.name(call.id()), SafeText.name(call.tool()),
				safe(call.identity().server()), "expired", Verdict.ASK.value(), safe(expired.askedBy()),
				safe(expired.rule()), null, List.of(), List.of(), safe(context.sessionId()), safe(context.runId()),
				safe(context.user()), safe(context.agent()), safe(context.workspace()), times, silenced, false);
	}

	ToolAlert summary(Instant at, long silenced) {
		return new ToolAlert(this.name, at, this.callId, this.tool, this.server, this.status, this.verdict,
				this.decidedBy, this.rule, this.failure, this.failedOpen, this.wouldDeny, this.sessionId, this.runId,
				this.user, this.agent, this.workspace, this.times, silenced, true);
	}

	private static @Nullable String safe(@Nullable String text) {
		return (text != null) ? SafeText.name(text) : null;
	}

	Map<String, @Nullable Object> message() {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("event", "tool_alert");
		message.put("alert", this.name);
		message.put("at", this.at.toString());
		message.put("call_id", this.callId);
		message.put("tool_name", this.tool);
		message.put("server", this.server);
		message.put("status", this.status);
		message.put("verdict", this.verdict);
		message.put("decided_by", this.decidedBy);
		message.put("rule", this.rule);
		message.put("failure", this.failure);
		message.put("failed_open", this.failedOpen);
		message.put("would_deny", this.wouldDeny);
		message.put("session_id", this.sessionId);
		message.put("run_id", this.runId);
		message.put("user", this.user);
		message.put("agent", this.agent);
		message.put("workspace", this.workspace);
		message.put("times", this.times);
		message.put("silenced", this.silenced);
		message.put("summary", this.summary);
		return message;
	}

	/** Without who called. */
	@Override
	public String toString() {
		return "ToolAlert[name=%s, tool=%s, status=%s, decidedBy=%s, rule=%s, times=%d, silenced=%d, summary=%s]"
			.formatted(this.name, this.tool, this.status, this.decidedBy, this.rule, this.times, this.silenced,
					this.summary);
	}

}
