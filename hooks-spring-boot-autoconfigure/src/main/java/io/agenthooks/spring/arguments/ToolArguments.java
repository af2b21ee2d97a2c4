package io.agenthooks.spring.arguments;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Reads arguments from JSON, strictly: text that two parsers may understand in two ways
 * is refused, so a tool cannot get anything but what the hooks saw.
 *
 * @since 0.1.0
 */
public final class ToolArguments {

	/** There may be an object around the arguments. */
	static final JsonMapper mapper = StrictJson.reader(1);

	private static final ToolIdentity ANY = ToolIdentity.ofApplication("any");

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
		return parseCall("any", ANY, json, maxSize, CallContext.empty()).arguments();
	}

	/**
	 * Make a call of what a model wrote.
	 * @param id the id of the call
	 * @param tool the tool
	 * @param json one JSON object, or blank text
	 * @param maxSize the most characters that the text may have
	 * @param context who makes the call
	 * @return the call
	 * @throws InvalidToolArgumentsException as {@link #parse(String, int)} does
	 */
	public static ToolCall parseCall(String id, ToolIdentity tool, String json, int maxSize, CallContext context) {
		if (json.length() > maxSize) {
			throw tooLarge(maxSize);
		}
		try {
			return ToolCall.of(id, tool, (json.isBlank()) ? Map.of() : parse(json, "The arguments"), context);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidToolArgumentsException("The arguments cannot be used: " + ex.getMessage());
		}
	}

	/**
	 * Whether a text has the very arguments that were approved: all of them, and no
	 * others. Numbers are compared as JSON: who reads 1.50 may write 1.5.
	 * @param approved the approved arguments
	 * @param json one JSON object, or blank text
	 * @param maxSize the most characters that the text may have
	 * @return whether they are the same
	 */
	public static boolean isSame(Map<String, ? extends @Nullable Object> approved, String json, int maxSize) {
		try {
			Map<String, @Nullable Object> came = parse(json, maxSize);
			return came.equals(approved) || CanonicalJson.write(came).equals(CanonicalJson.write(approved));
		}
		catch (InvalidToolArgumentsException ex) {
			return false;
		}
	}

	/**
	 * Read an object that has arguments in it.
	 * @param json one JSON object
	 * @param what what the object is, as the beginning of a sentence
	 * @return the object, which may be immutable
	 * @throws InvalidToolArgumentsException if the text is anything else, has a name
	 * twice, or goes on after its end
	 */
	public static Map<String, @Nullable Object> parse(String json, String what) {
		return ArgumentsReader.read(json, what);
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

}
