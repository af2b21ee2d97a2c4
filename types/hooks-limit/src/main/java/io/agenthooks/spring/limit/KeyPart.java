package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * A part of the key by which calls are counted together. No part is written by a model.
 *
 * @param value gets the value of a call, or {@code null} if the call has none
 */
record KeyPart(String name, Function<ToolCall, @Nullable Object> value) {

	static final List<String> NAMES = List.of("tool", "session", "run", "agent_run", "user", "agent", "workspace",
			"claim:<name>");

	private static final String CLAIM = "claim:";

	static @Nullable KeyPart of(String written) {
		String text = written.strip();
		if (text.startsWith(CLAIM)) {
			String claim = text.substring(CLAIM.length());
			return (claim.isBlank()) ? null : new KeyPart(text, (call) -> call.context().claims().get(claim));
		}
		String name = text.toLowerCase(Locale.ROOT);
		return switch (name) {
			case "tool" -> new KeyPart(name, (call) -> tool(call.identity()));
			case "session" -> ofContext(name, CallContext::sessionId);
			case "run" -> ofContext(name, CallContext::rootRunId);
			case "agent_run" -> ofContext(name, CallContext::runId);
			case "user" -> ofContext(name, CallContext::user);
			case "agent" -> ofContext(name, CallContext::agent);
			case "workspace" -> ofContext(name, CallContext::workspace);
			default -> null;
		};
	}

	private static KeyPart ofContext(String name, Function<CallContext, @Nullable Object> value) {
		return new KeyPart(name, (call) -> value.apply(call.context()));
	}

	/**
	 * Where it comes from: another name under which the model sees it is no other tool.
	 */
	private static String tool(ToolIdentity tool) {
		String server = tool.server();
		return (server != null) ? server.length() + ":" + server + tool.name() : tool.name();
	}

	String describe() {
		return (this.name.startsWith(CLAIM)) ? "claim '" + SafeText.name(this.name.substring(CLAIM.length())) + "'"
				: this.name.replace('_', ' ');
	}

}
