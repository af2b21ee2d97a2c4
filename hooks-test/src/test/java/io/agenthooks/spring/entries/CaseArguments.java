package io.agenthooks.spring.entries;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The arguments of a call that a file of cases has.
 */
final class CaseArguments {

	private CaseArguments() {
	}

	static Map<String, @Nullable Object> of(JsonNode node) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		node.properties().forEach((property) -> map.put(property.getKey(), value(property.getValue())));
		return map;
	}

	private static @Nullable Object value(JsonNode node) {
		if (node.isObject()) {
			return of(node);
		}
		if (node.isArray()) {
			List<@Nullable Object> list = new ArrayList<>();
			node.valueStream().forEach((element) -> list.add(value(element)));
			return Collections.unmodifiableList(list);
		}
		if (node.isNumber()) {
			return node.decimalValue();
		}
		if (node.isBoolean()) {
			return node.booleanValue();
		}
		return (node.isNull()) ? null : node.asString();
	}

}
