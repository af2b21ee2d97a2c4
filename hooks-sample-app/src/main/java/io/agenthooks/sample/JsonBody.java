package io.agenthooks.sample;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;

/**
 * One JSON object that was sent to the API, read strictly: text that two parsers may
 * understand in two ways is refused, so nothing can get anything but what was checked.
 */
record JsonBody(Map<String, @Nullable Object> fields) {

	static JsonBody read(byte[] body, List<String> keys) {
		Map<String, @Nullable Object> fields = parse(decode(body));
		for (String key : fields.keySet()) {
			if (!keys.contains(key)) {
				throw new InvalidCallException("The key '%s' is not known; there are %s".formatted(SafeText.name(key),
						String.join(", ", keys)));
			}
		}
		return new JsonBody(fields);
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

	/** A text that has to be there. */
	String text(String key) {
		if (this.fields.get(key) instanceof String text) {
			return text;
		}
		throw new InvalidCallException("'%s' must be there and be a string".formatted(key));
	}

	/** A text that may be left out, or be {@code null}. */
	@Nullable String optionalText(String key) {
		Object value = this.fields.get(key);
		if (value == null || value instanceof String) {
			return (String) value;
		}
		throw new InvalidCallException("'%s' must be a string".formatted(key));
	}

	@SuppressWarnings("unchecked")
	Map<String, @Nullable Object> object(String key) {
		if (this.fields.get(key) instanceof Map<?, ?> object) {
			return (Map<String, @Nullable Object>) object;
		}
		throw new InvalidCallException("'%s' must be a JSON object".formatted(key));
	}

}
