package io.agenthooks.sample;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.toolcall.ToolCall;

/**
 * Reads a call from JSON, strictly: text that two parsers may understand in two ways is
 * refused, so the tool cannot get anything but what the hooks saw.
 */
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

	static ToolCall read(byte[] body) {
		Map<String, @Nullable Object> fields = parse(decode(body));
		for (String key : fields.keySet()) {
			if (!KEYS.contains(key)) {
				throw new InvalidCallException("The key '%s' is not known; there are %s".formatted(SafeText.name(key),
						String.join(", ", KEYS)));
			}
		}
		if (!(fields.get(TOOL_NAME) instanceof String tool)) {
			throw new InvalidCallException("'tool_name' must be there and be a string");
		}
		CallContext context = context(fields);
		Map<String, @Nullable Object> arguments = object(fields.get(ARGUMENTS), "'arguments'");
		try {
			return ToolCall.of(tool, arguments, context);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidCallException("'arguments' cannot be used: " + ex.getMessage());
		}
	}

	private static CallContext context(Map<String, @Nullable Object> fields) {
		String role = text(fields, ROLE);
		String workspace = text(fields, WORKSPACE);
		CallContext context = CallContext.ofSession(text(fields, SESSION_ID))
			.withRunId(text(fields, RUN_ID))
			.withUser(text(fields, USER))
			.withAgent(text(fields, AGENT));
		context = (role != null) ? context.withRole(role) : context;
		return (workspace != null) ? context.withWorkspace(workspace) : context;
	}

	private static @Nullable String text(Map<String, @Nullable Object> fields, String name) {
		Object value = fields.get(name);
		if (value == null || value instanceof String) {
			return (String) value;
		}
		throw new InvalidCallException("'%s' must be a string".formatted(name));
	}

	private static String decode(byte[] body) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new InvalidCallException("The body must be UTF-8");
		}
	}

	private static Map<String, @Nullable Object> parse(String json) {
		try {
			return ToolArguments.parse(json, "The body");
		}
		catch (InvalidToolArgumentsException ex) {
			throw new InvalidCallException(ex.getMessage());
		}
	}

	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> object(@Nullable Object value, String what) {
		if (value instanceof Map) {
			return (Map<String, @Nullable Object>) value;
		}
		throw new InvalidCallException(what + " must be a JSON object");
	}

}
