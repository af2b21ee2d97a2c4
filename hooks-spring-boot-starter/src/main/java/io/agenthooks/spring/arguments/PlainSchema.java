package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schema of the plain kind that frameworks write for methods: types, properties, items,
 * lists of words. It accepts arguments that fit without the library, which takes many
 * times as long. It never objects: what it does not accept, the library checks.
 */
final class PlainSchema {

	/** Of more values, the library counts what they cost. */
	private static final int MAX_VALUES = 1_000;

	private static final int MAX_DEPTH = 16;

	private static final Set<String> DIALECTS = Set.of("https://json-schema.org/draft/2020-12/schema",
			"https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema#");

	/** What the library takes for nothing but a note. */
	private static final Set<String> FORMATS = Set.of("int32", "int64", "float", "double");

	private static final PlainSchema ANYTHING = new PlainSchema(Type.ANY, List.of(), true, null, null);

	private final Type type;

	private final Property[] properties;

	private final boolean open;

	/** What the elements of a list are, or {@code null} if anything. */
	private final @Nullable PlainSchema items;

	/** The texts that a value may be, or {@code null} if it may be anything. */
	private final @Nullable Set<String> words;

	private PlainSchema(Type type, List<Property> properties, boolean open, @Nullable PlainSchema items,
			@Nullable Set<String> words) {
		this.type = type;
		this.properties = properties.toArray(Property[]::new);
		this.open = open;
		this.items = items;
		this.words = words;
	}

	/**
	 * Read a schema.
	 * @return {@code null} if it is of another kind
	 */
	static @Nullable PlainSchema of(JsonNode schema) {
		return read(schema, MAX_DEPTH);
	}

	private static @Nullable PlainSchema read(@Nullable JsonNode schema, int depth) {
		if (schema == null || !schema.isObject() || depth == 0
				|| !schema.properties()
					.stream()
					.allMatch((keyword) -> isPlain(keyword.getKey(), keyword.getValue(), depth == MAX_DEPTH))) {
			return null;
		}
		Set<String> required = words(schema.path("required"));
		List<Property> properties = new ArrayList<>();
		for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
			PlainSchema value = read(property.getValue(), depth - 1);
			if (value == null) {
				return null;
			}
			properties.add(new Property(property.getKey(), value, required.remove(property.getKey())));
		}
		PlainSchema items = read(schema.get("items"), depth - 1);
		if (!required.isEmpty() || (items == null && schema.has("items"))) {
			return null;
		}
		return new PlainSchema(Type.of(schema.path("type").asString("any")), properties,
				schema.path("additionalProperties").asBoolean(true), items,
				(schema.has("enum")) ? words(schema.path("enum")) : null);
	}

	private static boolean isPlain(String keyword, JsonNode value, boolean first) {
		return switch (keyword) {
			case "$schema" -> first && DIALECTS.contains(value.asString(""));
			case "type" -> Type.NAMES.contains(value.asString(""));
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
	private int check(Object value, int left) {
		if (left <= 0 || (this.words != null && !(value instanceof String word && this.words.contains(word)))) {
			return -1;
		}
		if (value instanceof String) {
			return (isOf(Type.STRING)) ? left - 1 : -1;
		}
		if (value instanceof Integer || value instanceof Long) {
			return (isOf(Type.INTEGER) || this.type == Type.NUMBER) ? left - 1 : -1;
		}
		if (value instanceof Boolean) {
			return (isOf(Type.BOOLEAN)) ? left - 1 : -1;
		}
		if (value instanceof BigDecimal number) {
			return (isOf(Type.NUMBER) && !GivenNodes.isHuge(number)) ? left - 1 : -1;
		}
		if (value instanceof Map<?, ?> map) {
			return (isOf(Type.OBJECT)) ? checkMembers(map, left - 1) : -1;
		}
		return (value instanceof List<?> list && isOf(Type.ARRAY)) ? checkElements(list, left - 1) : -1;
	}

	private boolean isOf(Type type) {
		return this.type == type || this.type == Type.ANY;
	}

	private int checkMembers(Map<?, ?> map, int left) {
		int more = left;
		int found = 0;
		for (Property property : this.properties) {
			Object value = map.get(property.name);
			if (value != null) {
				found++;
				more = property.value.check(value, more);
			}
			// Null stands for what is left out.
			else if (property.required || more <= 0) {
				return -1;
			}
			else if (map.containsKey(property.name)) {
				found++;
			}
			if (more < 0) {
				return -1;
			}
		}
		return (found == map.size()) ? more : (this.open) ? checkOthers(map, more) : -1;
	}

	/**
	 * Check the members of which nothing is said; those of which something is are checked
	 * twice.
	 */
	private int checkOthers(Map<?, ?> map, int left) {
		int more = left;
		for (Map.Entry<?, ?> member : map.entrySet()) {
			Object value = member.getValue();
			more = (value != null) ? ANYTHING.check(value, more) : (isProperty(member.getKey())) ? more : -1;
			if (more < 0) {
				return -1;
			}
		}
		return more;
	}

	private boolean isProperty(@Nullable Object name) {
		for (Property property : this.properties) {
			if (property.name.equals(name)) {
				return true;
			}
		}
		return false;
	}

	private int checkElements(List<?> list, int left) {
		PlainSchema element = (this.items != null) ? this.items : ANYTHING;
		int more = left;
		for (int i = 0; i < list.size() && more >= 0; i++) {
			Object value = list.get(i);
			more = (value != null) ? element.check(value, more) : -1;
		}
		return more;
	}

	/**
	 * What a member of an object is.
	 */
	private record Property(String name, PlainSchema value, boolean required) {
	}

	private enum Type {

		ANY, OBJECT, ARRAY, STRING, BOOLEAN, INTEGER, NUMBER;

		static final Set<String> NAMES = Set.of("object", "array", "string", "boolean", "integer", "number");

		static Type of(String name) {
			return valueOf(name.toUpperCase(Locale.ROOT));
		}

	}

}
