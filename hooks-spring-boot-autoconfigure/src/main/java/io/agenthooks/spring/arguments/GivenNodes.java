package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import io.agenthooks.pattern.Budget;

/**
 * Converts arguments to JSON nodes for the validator. Lists and maps know how much is in
 * them, so that what walks through all of it can be paid for.
 */
final class GivenNodes {

	private static final JsonNodeFactory nodes = JsonNodeFactory.instance;

	/** The cost of a value, compared to searching a character. */
	private static final int VALUE = 50;

	/** Numbers beyond these take long to calculate with. */
	private static final int MAX_BITS = 4_000;

	private static final int MAX_SCALE = 1_000;

	private final Budget budget;

	private GivenNodes(Budget budget) {
		this.budget = budget;
	}

	/**
	 * Many models write {@code null} for what they leave out, and it means the same to
	 * tools, so it is left out.
	 */
	static JsonNode of(Map<String, ? extends @Nullable Object> arguments, JsonNode schema, Budget budget) {
		return new GivenNodes(budget).map(arguments, schema);
	}

	private JsonNode map(Map<?, ?> map, JsonNode schema) {
		JsonNode properties = schema.path("properties");
		this.budget.spend(VALUE);
		Set<String> required = null;
		Map<String, JsonNode> members = new LinkedHashMap<>();
		long weight = 1;
		for (Map.Entry<?, ?> member : map.entrySet()) {
			String name = (String) member.getKey();
			if (member.getValue() == null && properties.has(name)) {
				required = (required != null) ? required : required(schema);
				if (!required.contains(name)) {
					continue;
				}
			}
			JsonNode node = node(member.getValue(), properties.path(name));
			members.put(name, node);
			weight += 1 + name.length() / 8 + weightOf(node);
		}
		return new GivenObject(members, weight);
	}

	private Set<String> required(JsonNode schema) {
		Set<String> required = new HashSet<>();
		JsonNode named = schema.path("required");
		this.budget.spend((long) VALUE * named.size());
		named.forEach((name) -> required.add(name.asString("")));
		return required;
	}

	private JsonNode list(List<?> list, JsonNode schema) {
		JsonNode items = schema.path("items");
		List<JsonNode> elements = new ArrayList<>();
		long weight = 1;
		for (Object element : list) {
			JsonNode node = node(element, items);
			elements.add(node);
			weight += weightOf(node);
		}
		return new GivenArray(elements, weight);
	}

	private JsonNode node(@Nullable Object value, JsonNode schema) {
		this.budget.spend(VALUE);
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

	/** The approximate number of digits to calculate with. */
	private static long digitsOf(JsonNode number) {
		if (number.isBigDecimal()) {
			BigDecimal decimal = number.decimalValue();
			return Math.abs((long) decimal.scale()) + decimal.unscaledValue().bitLength() / 3;
		}
		if (number.isBigInteger()) {
			return number.bigIntegerValue().bitLength() / 3;
		}
		return (number.isIntegralNumber()) ? 0 : Math.abs(Math.getExponent(number.doubleValue())) / 3;
	}

	/**
	 * The cost of calculating with a number: time grows with the square of its digits.
	 */
	static long costOf(JsonNode number) {
		if (!number.isNumber()) {
			return 0;
		}
		long digits = digitsOf(number);
		return digits * (20 + digits / 4);
	}

	/** The approximate steps through all of a value. */
	static long weightOf(JsonNode node) {
		if (node instanceof GivenObject object) {
			return object.weight;
		}
		if (node instanceof GivenArray array) {
			return array.weight;
		}
		return (node.isString()) ? 1 + node.stringValue().length() / 8 : 1 + costOf(node) / 32;
	}

	/** A map that knows how much is in it. */
	private static final class GivenObject extends ObjectNode {

		private final transient long weight;

		GivenObject(Map<String, JsonNode> members, long weight) {
			super(nodes, members);
			this.weight = weight;
		}

	}

	/** A list that knows how much is in it. */
	private static final class GivenArray extends ArrayNode {

		private final transient long weight;

		GivenArray(List<JsonNode> elements, long weight) {
			super(nodes, elements);
			this.weight = weight;
		}

	}

}
