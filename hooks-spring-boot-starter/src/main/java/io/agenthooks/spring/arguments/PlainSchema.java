package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schema of the plain kind that frameworks write for methods: types, properties, items,
 * lists of words. It accepts arguments that fit without the library, which takes a
 * hundred times as long. It never objects: what it does not accept, the library checks.
 *
 * @param type the type of values, or {@code null} if any
 * @param properties what the members of an object are
 * @param required the members that an object must have
 * @param open whether an object may have other members
 * @param items what the elements of a list are, or {@code null} if anything
 * @param words the texts that a value may be, or {@code null} if it may be anything
 */
record PlainSchema(@Nullable String type, Map<String, PlainSchema> properties, Set<String> required, boolean open,
		@Nullable PlainSchema items, @Nullable Set<String> words) {

	/** Of more values, the library counts what they cost. */
	private static final int MAX_VALUES = 1_000;

	private static final int MAX_DEPTH = 16;

	private static final Set<String> TYPES = Set.of("object", "array", "string", "boolean", "integer", "number");

	private static final Set<String> DIALECTS = Set.of("https://json-schema.org/draft/2020-12/schema",
			"https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema#");

	/** What the library takes for nothing but a note. */
	private static final Set<String> FORMATS = Set.of("int32", "int64", "float", "double");

	private static final PlainSchema ANYTHING = new PlainSchema(null, Map.of(), Set.of(), true, null, null);

	/**
	 * Read a schema.
	 * @return {@code null} if it is of another kind
	 */
	static @Nullable PlainSchema of(JsonNode schema) {
		return read(schema, MAX_DEPTH);
	}

	private static @Nullable PlainSchema read(@Nullable JsonNode schema, int depth) {
		if (schema == null || !schema.isObject() || depth == 0 || !schema.properties()
			.stream()
			.allMatch((keyword) -> isPlain(keyword.getKey(), keyword.getValue(), depth == MAX_DEPTH))) {
			return null;
		}
		Map<String, PlainSchema> properties = new HashMap<>();
		for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
			PlainSchema value = read(property.getValue(), depth - 1);
			if (value == null) {
				return null;
			}
			properties.put(property.getKey(), value);
		}
		PlainSchema items = read(schema.get("items"), depth - 1);
		return (items == null && schema.has("items")) ? null
				: new PlainSchema((schema.has("type")) ? schema.path("type").asString() : null, properties,
						words(schema.path("required")), schema.path("additionalProperties").asBoolean(true), items,
						(schema.has("enum")) ? words(schema.path("enum")) : null);
	}

	private static boolean isPlain(String keyword, JsonNode value, boolean first) {
		return switch (keyword) {
			case "$schema" -> first && DIALECTS.contains(value.asString(""));
			case "type" -> TYPES.contains(value.asString(""));
			case "format" -> FORMATS.contains(value.asString(""));
			case "properties", "items" -> value.isObject();
			case "required", "enum" -> value.isArray() && value.valueStream().allMatch(JsonNode::isString);
			case "additionalProperties" -> value.isBoolean();
			case "description", "title", "default" -> true;
			default -> false;
		};
	}

	private static Set<String> words(JsonNode list) {
		Set<String> words = new HashSet<>();
		list.forEach((word) -> words.add(word.stringValue()));
		return words;
	}

	/**
	 * Whether arguments are certain to fit.
	 */
	boolean accepts(Map<String, ? extends @Nullable Object> arguments) {
		return check(arguments, MAX_VALUES) >= 0;
	}

	/**
	 * Check a value.
	 * @param left how many values may come
	 * @return how many more may come, or -1 if it is not certain that this one fits
	 */
	private int check(@Nullable Object value, int left) {
		if (left <= 0 || (this.words != null && !(value instanceof String word && this.words.contains(word)))) {
			return -1;
		}
		if (value instanceof Map<?, ?> map) {
			return (isOf("object")) ? checkMembers(map, left - 1) : -1;
		}
		if (value instanceof List<?> list) {
			return (isOf("array")) ? checkElements(list, left - 1) : -1;
		}
		return (isScalar(value)) ? left - 1 : -1;
	}

	private int checkMembers(Map<?, ?> map, int left) {
		for (String name : this.required) {
			if (map.get(name) == null) {
				return -1;
			}
		}
		int more = left;
		for (Map.Entry<?, ?> member : map.entrySet()) {
			PlainSchema property = this.properties.get(member.getKey());
			if (property == null && !this.open) {
				return -1;
			}
			// Null stands for what is left out.
			if (property == null || member.getValue() != null) {
				more = ((property != null) ? property : ANYTHING).check(member.getValue(), more);
			}
			if (more < 0) {
				return -1;
			}
		}
		return more;
	}

	private int checkElements(List<?> list, int left) {
		PlainSchema element = (this.items != null) ? this.items : ANYTHING;
		int more = left;
		for (int i = 0; i < list.size() && more >= 0; i++) {
			more = element.check(list.get(i), more);
		}
		return more;
	}

	private boolean isScalar(@Nullable Object value) {
		if (value instanceof String) {
			return isOf("string");
		}
		if (value instanceof Boolean) {
			return isOf("boolean");
		}
		if (value instanceof Integer || value instanceof Long) {
			return isOf("integer") || isOf("number");
		}
		return value instanceof BigDecimal number && isOf("number") && !GivenNodes.isHuge(number);
	}

	private boolean isOf(String type) {
		return this.type == null || this.type.equals(type);
	}

}
