package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.util.JsonRecyclerPools;

/** Looks at each value as it comes: there is no second walk through them. */
final class ArgumentsReader {

	/**
	 * It finds names that stand there twice itself, and shares nothing with others who
	 * use the library.
	 */
	private static final TokenStreamFactory factory = ToolArguments.mapper.tokenStreamFactory()
		.rebuild()
		.disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.recyclerPool(JsonRecyclerPools.threadLocalPool())
		.build();

	private final JsonParser parser;

	private final String what;

	private ArgumentsReader(JsonParser parser, String what) {
		this.parser = parser;
		this.what = what;
	}

	static Map<String, @Nullable Object> read(String json, String what) {
		try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
			ArgumentsReader reader = new ArgumentsReader(parser, what);
			Object value = reader.value(parser.nextToken());
			if (parser.nextToken() != null) {
				throw reader.mistake("it goes on after its end");
			}
			return reader.object(value);
		}
		catch (JacksonException ex) {
			// Its own message repeats the text, which may be secret.
			throw new InvalidToolArgumentsException(
					"%s must be one JSON object%s: %s".formatted(what, place(ex.getLocation()), mistakeOf(ex)));
		}
		catch (NumberFormatException ex) {
			throw outOfRange(what);
		}
	}

	@SuppressWarnings("unchecked")
	private Map<String, @Nullable Object> object(@Nullable Object value) {
		if (!(value instanceof Map<?, ?> object)) {
			throw new InvalidToolArgumentsException(this.what + " must be one JSON object");
		}
		return (Map<String, @Nullable Object>) object;
	}

	private @Nullable Object value(@Nullable JsonToken token) {
		if (token == null) {
			throw mistake("it ends too early");
		}
		return switch (token) {
			case START_OBJECT -> object();
			case START_ARRAY -> array();
			case VALUE_STRING -> whole(this.parser.getString());
			case VALUE_NUMBER_INT -> this.parser.getNumberValue();
			case VALUE_NUMBER_FLOAT -> inRange(this.parser.getDecimalValue());
			case VALUE_TRUE -> true;
			case VALUE_FALSE -> false;
			case VALUE_NULL -> null;
			default -> throw mistake("this is not valid JSON");
		};
	}

	private Map<String, @Nullable Object> object() {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		for (String name = this.parser.nextName(); name != null; name = this.parser.nextName()) {
			if (object.containsKey(name)) {
				throw mistake("a name stands there twice");
			}
			object.put(whole(name), value(this.parser.nextToken()));
		}
		return object;
	}

	private List<@Nullable Object> array() {
		List<@Nullable Object> array = new ArrayList<>();
		for (JsonToken token = this.parser.nextToken(); token != JsonToken.END_ARRAY; token = this.parser.nextToken()) {
			array.add(value(token));
		}
		return array;
	}

	private String whole(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
					throw new InvalidToolArgumentsException(
							this.what + " must not have half of a surrogate pair in it");
				}
				return text;
			}
		}
		return text;
	}

	/**
	 * Others make infinity or zero of such numbers, or write them out with all their
	 * digits.
	 */
	private BigDecimal inRange(BigDecimal number) {
		double value = number.doubleValue();
		if (!Double.isFinite(value) || (value == 0 && number.signum() != 0)) {
			throw outOfRange(this.what);
		}
		return number;
	}

	private static InvalidToolArgumentsException outOfRange(String what) {
		return new InvalidToolArgumentsException(what + " must have no number out of the range of a double");
	}

	private InvalidToolArgumentsException mistake(String mistake) {
		return new InvalidToolArgumentsException("%s must be one JSON object%s: %s".formatted(this.what,
				place(this.parser.currentTokenLocation()), mistake));
	}

	private static String place(@Nullable TokenStreamLocation place) {
		return (place != null) ? " (line %d, column %d)".formatted(place.getLineNr(), place.getColumnNr()) : "";
	}

	private static String mistakeOf(JacksonException ex) {
		String message = String.valueOf(ex.getOriginalMessage());
		if (message.contains("nesting depth")) {
			return "it is nested too deep";
		}
		return (message.startsWith("Unexpected end")) ? "it ends too early" : "this is not valid JSON";
	}

}
