package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;

/**
 * Reads arguments from JSON, strictly: text that two parsers may understand in two ways
 * is refused, so a tool cannot get anything but what the hooks saw.
 *
 * @since 0.1.0
 */
public final class ToolArguments {

	/** There may be an object around the arguments. */
	static final JsonMapper mapper = StrictJson.reader(1);

	private ToolArguments() {
	}

	/**
	 * Read the arguments of a call from a text of bounded length.
	 * @param json one JSON object; blank text stands for no arguments, since models send
	 * it for tools that have none
	 * @return the arguments, immutable
	 * @throws InvalidToolArgumentsException if the text is anything else, has a name
	 * twice, goes on after its end, or holds what a call cannot have
	 */
	public static Map<String, @Nullable Object> parse(String json) {
		return parse(json, Integer.MAX_VALUE);
	}

	/**
	 * Read the arguments of a call.
	 * @param json one JSON object; blank text stands for no arguments, since models send
	 * it for tools that have none
	 * @param maxSize the most characters that the text may have
	 * @return the arguments, immutable
	 * @throws InvalidToolArgumentsException if the text is anything else, has a name
	 * twice, goes on after its end, is longer, or holds what a call cannot have
	 */
	public static Map<String, @Nullable Object> parse(String json, int maxSize) {
		if (json.length() > maxSize) {
			throw tooLarge(maxSize);
		}
		if (json.isBlank()) {
			return Map.of();
		}
		try {
			return ToolCall.of("any", "any", parse(json, "The arguments"), CallContext.empty()).arguments();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidToolArgumentsException("The arguments cannot be used: " + ex.getMessage());
		}
	}

	/**
	 * Read an object that has arguments in it.
	 * @param json one JSON object
	 * @param what what the object is, as the beginning of a sentence
	 * @return the object
	 * @throws InvalidToolArgumentsException if the text is anything else, has a name
	 * twice, or goes on after its end
	 */
	@SuppressWarnings("unchecked")
	public static Map<String, @Nullable Object> parse(String json, String what) {
		if (!(read(json, what) instanceof Map<?, ?> object)) {
			throw new InvalidToolArgumentsException(what + " must be one JSON object");
		}
		check(object, what);
		return (Map<String, @Nullable Object>) object;
	}

	private static @Nullable Object read(String json, String what) {
		try {
			return mapper.readValue(json, Object.class);
		}
		catch (JacksonException ex) {
			// Its own message repeats the text, which may be secret.
			TokenStreamLocation place = ex.getLocation();
			throw new InvalidToolArgumentsException("%s must be one JSON object%s: %s".formatted(what,
					(place != null) ? " (line %d, column %d)".formatted(place.getLineNr(), place.getColumnNr()) : "",
					mistakeOf(ex)));
		}
		catch (NumberFormatException ex) {
			throw new InvalidToolArgumentsException(what + " must have no number out of the range of a double");
		}
	}

	private static String mistakeOf(JacksonException ex) {
		String message = String.valueOf(ex.getOriginalMessage());
		if (message.startsWith("Duplicate")) {
			return "a name stands there twice";
		}
		if (message.startsWith("Trailing token")) {
			return "it goes on after its end";
		}
		if (message.contains("nesting depth")) {
			return "it is nested too deep";
		}
		return (message.startsWith("Unexpected end")) ? "it ends too early" : "this is no valid JSON";
	}

	/**
	 * Write arguments as one JSON object.
	 * @param arguments the arguments
	 * @return the text
	 */
	public static String write(Map<String, ? extends @Nullable Object> arguments) {
		return mapper.writeValueAsString(arguments);
	}

	/**
	 * Write arguments as one JSON object, unless they are too large.
	 * @param arguments the arguments
	 * @param maxSize the most characters that the text may have
	 * @return the text
	 * @throws InvalidToolArgumentsException if it would be longer, or the arguments
	 * cannot be written
	 */
	public static String write(Map<String, ? extends @Nullable Object> arguments, int maxSize) {
		BoundedText text = new BoundedText(maxSize);
		try {
			mapper.writeValue(text, arguments);
			return text.toString();
		}
		catch (JacksonException ex) {
			throw (text.isOver()) ? tooLarge(maxSize)
					: new InvalidToolArgumentsException("The arguments cannot be written as JSON");
		}
	}

	private static InvalidToolArgumentsException tooLarge(int maxSize) {
		return new InvalidToolArgumentsException(
				"The arguments are too large: they may have %d characters".formatted(maxSize));
	}

	private static void check(@Nullable Object value, String what) {
		if (value instanceof Map<?, ?> map) {
			check(map.keySet(), what);
			check(map.values(), what);
		}
		else if (value instanceof Collection<?> values) {
			for (Object element : values) {
				check(element, what);
			}
		}
		else if (value instanceof String text && hasHalfCharacter(text)) {
			throw new InvalidToolArgumentsException(what + " must not have half of a surrogate pair in it");
		}
		else if (value instanceof BigDecimal number && !isInRange(number)) {
			throw new InvalidToolArgumentsException(what + " must have no number out of the range of a double");
		}
	}

	private static boolean hasHalfCharacter(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				return !StandardCharsets.UTF_8.newEncoder().canEncode(text);
			}
		}
		return false;
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
