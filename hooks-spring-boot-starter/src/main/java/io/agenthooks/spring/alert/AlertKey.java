package io.agenthooks.spring.alert;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ended.EndedCall;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * A part of the key by which calls are counted and alerts silenced. A call that lacks it
 * counts together with the others that do: one alert too many is better than none.
 */
enum AlertKey {

	/** The tool where it comes from, whatever the model calls it. */
	TOOL((outcome) -> tool(outcome.effective().identity())),

	/** Who decided about the call. */
	HOOK((outcome) -> EndedCall.of(outcome, outcome.status().value()).decidedBy()),

	/** The session. */
	SESSION(ofContext(CallContext::sessionId)),

	/** The run. */
	RUN(ofContext(CallContext::runId)),

	/** The user. */
	USER(ofContext(CallContext::user)),

	/** The agent. */
	AGENT(ofContext(CallContext::agent)),

	/** The workspace. */
	WORKSPACE(ofContext(CallContext::workspace));

	private final Function<ToolOutcome, @Nullable String> value;

	AlertKey(Function<ToolOutcome, @Nullable String> value) {
		this.value = value;
	}

	private static Function<ToolOutcome, @Nullable String> ofContext(Function<CallContext, @Nullable String> value) {
		return (outcome) -> value.apply(outcome.effective().context());
	}

	private static String tool(ToolIdentity tool) {
		String server = tool.server();
		return (server != null) ? server.length() + ":" + server + tool.name() : tool.name();
	}

	/**
	 * The key of a call: a digest, so that it has a bound.
	 * @param parts the parts, none if all calls have the same key
	 */
	static String of(List<AlertKey> parts, ToolOutcome outcome) {
		if (parts.isEmpty()) {
			return "";
		}
		MessageDigest digest = sha256();
		for (AlertKey part : parts) {
			String value = part.value.apply(outcome);
			byte[] bytes = ((value != null) ? value : "").getBytes(StandardCharsets.UTF_8);
			// With its length no part can pass for another one, or for two.
			digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
			digest.update(bytes);
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
