package io.agenthooks.sample;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
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

	/** Arguments may be nested 64 levels, and they are inside of the body. */
	private static final int MAX_DEPTH = 65;

	private static final JsonMapper mapper = JsonMapper
		.builder(JsonFactory.builder()
			.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
			.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
			.build())
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private ToolCallJson() {
	}

	static ToolCall read(byte[] body) {
		Map<String, @Nullable Object> fields = object(parse(decode(body)), "The body");
		for (String key : fields.keySet()) {
			if (!KEYS.contains(key)) {
				throw new InvalidCallException("The key '%s' is not known; there are %s".formatted(SafeText.name(key),
						String.join(", ", KEYS)));
			}
		}
		check(fields);
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

	private static @Nullable Object parse(String json) {
		try {
			return mapper.readValue(json, Object.class);
		}
		catch (JacksonException ex) {
			TokenStreamLocation place = ex.getLocation();
			throw new InvalidCallException("The body must be one JSON object%s: %s".formatted(
					(place != null) ? " (line %d, column %d)".formatted(place.getLineNr(), place.getColumnNr()) : "",
					SafeText.reason(ex.getOriginalMessage())));
		}
	}

	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> object(@Nullable Object value, String what) {
		if (value instanceof Map) {
			return (Map<String, @Nullable Object>) value;
		}
		throw new InvalidCallException(what + " must be a JSON object");
	}

	private static void check(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			check(map.keySet());
			check(map.values());
		}
		else if (value instanceof Collection<?> values) {
			values.forEach(ToolCallJson::check);
		}
		else if (value instanceof String text && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
			throw new InvalidCallException("Text must not hold half of a surrogate pair");
		}
		else if (value instanceof BigDecimal number && !isInRange(number)) {
			throw new InvalidCallException("Numbers must be in the range of a double");
		}
	}

	/**
	 * Other parsers make infinity or zero of numbers out of range, and some write them
	 * out with all their digits.
	 */
	private static boolean isInRange(BigDecimal number) {
		double value = number.doubleValue();
		return Double.isFinite(value) && (value != 0 || number.signum() == 0);
	}

}
