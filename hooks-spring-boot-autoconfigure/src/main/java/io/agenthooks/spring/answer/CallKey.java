package io.agenthooks.spring.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.Sha256;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The key under which a result is kept: the SHA-256 digest of scope, tool and arguments.
 * Arguments are the same only if they are the same JSON, in any order of names: an {@code
 * int} 1 is a {@code long} 1, but not {@code 1.0} or {@code "1"}, and {@code null} is not
 * absent. Where one could argue, calls differ: that costs a run of the tool, and is never
 * a wrong answer.
 */
final class CallKey {

	private CallKey() {
	}

	/**
	 * Null if there is no session or user whose the call is, or its server is not known.
	 */
	static @Nullable String of(ToolCall call, CacheConfig.Scope scope) {
		CallContext context = call.context();
		ToolIdentity tool = call.identity();
		if (tool.server() == null) {
			return null;
		}
		String owner = switch (scope) {
			case GLOBAL -> "everybody";
			case SESSION -> context.sessionId();
			case USER -> context.user();
		};
		if (owner == null || owner.isEmpty()) {
			return null;
		}
		List<@Nullable Object> parts = new ArrayList<>(List.of(scope.name(), owner));
		if (scope != CacheConfig.Scope.GLOBAL) {
			// A session may have several users, and a user several rights and places.
			parts.addAll(Arrays.asList(context.user(), context.agent(), context.role(), context.workspace(),
					context.authorities().stream().sorted().toList(), context.claims()));
		}
		// Not the name that the model sees: tomorrow it may be that of another server.
		parts.addAll(List.of(tool.server(), tool.name(), call.arguments()));
		return Sha256.hex(CanonicalJson.writeExact(parts));
	}

}
