package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import io.agenthooks.pattern.Budget;

final class GivenNodes {

	private static final JsonNodeFactory nodes = JsonNodeFactory.instance;

	/** Numbers beyond these take long to calculate with. */
	private static final int MAX_BITS = 4_000;

	private static final int MAX_SCALE = 1_000;

	/** Many maps may follow one part of the schema. */
	private final IdentityHashMap<JsonNode, Set<String>> required = new IdentityHashMap<>();

	private GivenNodes() {
	}

	/**
	 * Null is left out: many models write it for what they leave out, and tools take it
	 * for that.
	 */
	static JsonNode of(Map<String, ? extends @Nullable Object> arguments, JsonNode schema) {
		return new GivenNodes().map(arguments, schema);
	}

	private JsonNode map(Map<?, ?> map, JsonNode schema) {
		JsonNode properties = schema.path("properties");
		ObjectNode members = nodes.objectNode();
		map.forEach((key, value) -> {
			String name = (String) key;
			if (value != null || !properties.has(name) || isRequired(name, schema)) {
				members.set(name, node(value, properties.path(name)));
			}
		});
		return members;
	}

	private boolean isRequired(String name, JsonNode schema) {
		return this.required.computeIfAbsent(schema, (part) -> {
			Set<String> names = new HashSet<>();
			part.path("required").forEach((required) -> names.add(required.asString("")));
			return names;
		}).contains(name);
	}

	private JsonNode list(List<?> list, JsonNode schema) {
		JsonNode items = schema.path("items");
		ArrayNode elements = nodes.arrayNode();
		list.forEach((element) -> elements.add(node(element, items)));
		return elements;
	}

	private JsonNode node(@Nullable Object value, JsonNode schema) {
		if (value instanceof Map<?, ?> map) {
			return map(map, schema);
		}
		if (value instanceof List<?> list) {
			return list(list, schema);
		}
		if (value instanceof String text) {
			return nodes.stringNode(text);
		}
		if (value instanceof Boolean flag) {
			return nodes.booleanNode(flag);
		}
		return (value instanceof Number number) ? number(number) : nodes.nullNode();
	}

	private static JsonNode number(Number number) {
		if (number instanceof BigDecimal decimal) {
			if (isHuge(decimal)) {
				throw new Budget.ExhaustedException();
			}
			return nodes.numberNode(decimal);
		}
		if (number instanceof BigInteger integer) {
			if (integer.bitLength() > MAX_BITS) {
				throw new Budget.ExhaustedException();
			}
			return nodes.numberNode(integer);
		}
		if (number instanceof Double || number instanceof Float) {
			return nodes.numberNode(number.doubleValue());
		}
		return (number instanceof Long) ? nodes.numberNode(number.longValue()) : nodes.numberNode(number.intValue());
	}

	static boolean isHuge(BigDecimal number) {
		return number.unscaledValue().bitLength() > MAX_BITS || Math.abs((long) number.scale()) > MAX_SCALE;
	}

}
