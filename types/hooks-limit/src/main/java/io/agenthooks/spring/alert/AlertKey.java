package io.agenthooks.spring.alert;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.Sha256;
import io.agenthooks.spring.caller.NameSpelling;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * A part of the key by which calls are counted. Calls that lack it count together: one
 * alert too many is better than none.
 */
enum AlertKey {

	/** The tool where it comes from, whatever the model calls it. */
	TOOL,

	/** The decider about the call. */
	HOOK,

	SESSION,

	RUN,

	/** In whatever spelling: another one is no way to stay below a threshold. */
	USER,

	AGENT,

	WORKSPACE;

	private @Nullable String valueOf(ToolCall call, @Nullable String decidedBy) {
		CallContext context = call.context();
		return switch (this) {
			case TOOL -> tool(call.identity());
			case HOOK -> decidedBy;
			case SESSION -> context.sessionId();
			case RUN -> context.runId();
			case USER -> (context.user() != null) ? NameSpelling.plain(context.user()) : null;
			case AGENT -> context.agent();
			case WORKSPACE -> context.workspace();
		};
	}

	private static String tool(ToolIdentity tool) {
		String server = tool.server();
		return (server != null) ? server.length() + ":" + server + tool.name() : tool.name();
	}

	/** A digest, so that it has a bound. */
	static String of(List<AlertKey> parts, ToolCall call, @Nullable String decidedBy) {
		if (parts.isEmpty()) {
			return "";
		}
		MessageDigest digest = Sha256.digest();
		for (AlertKey part : parts) {
			String value = part.valueOf(call, decidedBy);
			byte[] bytes = ((value != null) ? value : "").getBytes(StandardCharsets.UTF_8);
			// With its length no part can pass for another one, or for two.
			digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
			digest.update(bytes);
		}
		return HexFormat.of().formatHex(digest.digest());
	}

}
