package io.agenthooks.sample;

import java.util.List;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;

/** Reads a call from JSON, strictly. */
final class ToolCallJson {

	private static final String TOOL_NAME = "tool_name";

	private static final String ARGUMENTS = "arguments";

	private static final String SESSION_ID = "session_id";

	private static final String RUN_ID = "run_id";

	private static final String USER = "user";

	private static final String AGENT = "agent";

	private static final String ROLE = "role";

	private static final String WORKSPACE = "workspace";

	private static final List<String> KEYS = List.of(TOOL_NAME, ARGUMENTS, SESSION_ID, RUN_ID, USER, AGENT, ROLE,
			WORKSPACE);

	private ToolCallJson() {
	}

	static ToolCall read(byte[] json) {
		JsonBody body = JsonBody.read(json, KEYS);
		String tool = body.text(TOOL_NAME);
		CallContext context = context(body);
		try {
			return ToolCall.of(tool, body.object(ARGUMENTS), context);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidCallException("'arguments' cannot be used: " + ex.getMessage());
		}
	}

	private static CallContext context(JsonBody body) {
		String role = body.optionalText(ROLE);
		String workspace = body.optionalText(WORKSPACE);
		CallContext context = CallContext.ofSession(body.optionalText(SESSION_ID))
			.withRunId(body.optionalText(RUN_ID))
			.withUser(body.optionalText(USER))
			.withAgent(body.optionalText(AGENT));
		context = (role != null) ? context.withRole(role) : context;
		return (workspace != null) ? context.withWorkspace(workspace) : context;
	}

}
