package io.agenthooks.spring.json;

import java.util.function.BiPredicate;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Searches JSON that may break off anywhere, as far as it can be read.
 *
 * @since 0.1.0
 */
public final class BrokenJson {

	/** An answer is one level around the arguments. */
	private static final int MAX_DEPTH = 65;

	private static final JsonFactory json = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
		.build();

	private BrokenJson() {
	}

	/**
	 * Whether an object has a member, at its top or in objects below it.
	 * @param text the object in UTF-8
	 * @param entered whether to search the object that a member of a name is
	 * @param wanted tells the member by its name and its value: a text, a boolean, or
	 * {@code null} for anything else
	 * @return whether such a member comes before the text breaks off
	 */
	public static boolean hasMember(byte[] text, Predicate<String> entered,
			BiPredicate<String, @Nullable Object> wanted) {
		try (JsonParser parser = json.createParser(ObjectReadContext.empty(), text)) {
			return parser.nextToken() == JsonToken.START_OBJECT && hasMember(parser, entered, wanted);
		}
		catch (JacksonException ex) {
			// Here it breaks off.
			return false;
		}
	}

	private static boolean hasMember(JsonParser parser, Predicate<String> entered,
			BiPredicate<String, @Nullable Object> wanted) {
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			JsonToken token = parser.nextToken();
			if (token == JsonToken.START_OBJECT && entered.test(name)) {
				if (hasMember(parser, entered, wanted)) {
					return true;
				}
			}
			else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
				parser.skipChildren();
			}
			else if (wanted.test(name, valueOf(token, parser))) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable Object valueOf(@Nullable JsonToken token, JsonParser parser) {
		if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
			return token == JsonToken.VALUE_TRUE;
		}
		return (token == JsonToken.VALUE_STRING) ? parser.getString() : null;
	}

}
