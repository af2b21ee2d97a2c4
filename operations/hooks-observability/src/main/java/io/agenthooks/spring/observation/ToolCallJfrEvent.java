package io.agenthooks.spring.observation;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A call of a tool. Its duration includes the hooks. */
@Name("io.agenthooks.ToolCall")
@Label("Tool Call")
@Description("A call of a tool by an agent, hooks included")
@Category("Agent Hooks")
@Enabled(false)
@StackTrace(false)
final class ToolCallJfrEvent extends Event {

	@Label("Call Id")
	@Nullable String callId;

	@Label("Tool")
	@Nullable String tool;

	@Label("Session Id")
	@Nullable String sessionId;

	@Label("Run Id")
	@Nullable String runId;

	@Label("Outcome")
	@Nullable String outcome;

	@Label("Verdict")
	@Nullable String verdict;

	@Label("Decided By")
	@Nullable String decidedBy;

}
