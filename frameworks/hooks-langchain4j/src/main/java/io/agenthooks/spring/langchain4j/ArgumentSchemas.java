package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementJsonUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ConcurrentReferenceHashMap;

import io.agenthooks.spring.arguments.ToolSchema;

/**
 * To LangChain4j an optional argument that is null is a missing one, and models that must
 * name every argument rely on that.
 */
final class ArgumentSchemas {

	/** Softly: dynamic providers make their tools ever anew. */
	private final Map<ToolSpecification, ToolSchema> schemas = new ConcurrentReferenceHashMap<>();

	@Nullable ToolSchema of(@Nullable ToolSpecification tool) {
		return (tool != null && tool.parameters() != null) ? this.schemas.computeIfAbsent(tool, ArgumentSchemas::read)
				: null;
	}

	private static ToolSchema read(ToolSpecification tool) {
		return ToolSchema.of(lenient(JsonSchemaElementJsonUtils.toMap(tool.parameters()), true));
	}

	/** Adds null for what is optional; or null is left out before the check. */
	private static Map<String, @Nullable Object> lenient(Map<?, ?> schema, boolean direct) {
		Map<String, @Nullable Object> lenient = new LinkedHashMap<>();
		schema.forEach((name, value) -> lenient.put((String) name, switch ((String) name) {
			case "properties" -> members(value, (direct) ? null : required(schema), direct);
			case "$defs", "definitions" -> members(value, null, false);
			case "items" -> inner(value, direct);
			case "additionalProperties", "anyOf", "oneOf", "allOf" -> inner(value, false);
			default -> value;
		}));
		return lenient;
	}

	private static List<?> required(Map<?, ?> schema) {
		return (schema.get("required") instanceof List<?> required) ? required : List.of();
	}

	private static @Nullable Object inner(@Nullable Object value, boolean direct) {
		if (value instanceof Map<?, ?> schema) {
			return lenient(schema, direct);
		}
		return (value instanceof List<?> list) ? list.stream().map((element) -> inner(element, false)).toList() : value;
	}

	/** Required ones are {@code null} if null is not to be added to any. */
	private static @Nullable Object members(@Nullable Object value, @Nullable List<?> required, boolean direct) {
		if (!(value instanceof Map<?, ?> members)) {
			return value;
		}
		Map<String, @Nullable Object> lenient = new LinkedHashMap<>();
		members.forEach((name, member) -> {
			Object schema = inner(member, direct);
			lenient.put((String) name,
					(required == null || required.contains(name) || !(schema instanceof Map<?, ?> optional)) ? schema
							: nullable(optional));
		});
		return lenient;
	}

	private static Map<String, ?> nullable(Map<?, ?> schema) {
		if (schema.get("type") instanceof String type && !schema.containsKey("enum") && !schema.containsKey("const")) {
			// Mistakes read better than those of an alternative.
			Map<String, @Nullable Object> nullable = new LinkedHashMap<>();
			schema.forEach((name, value) -> nullable.put((String) name, value));
			nullable.put("type", List.of(type, "null"));
			return nullable;
		}
		List<Object> either = new ArrayList<>();
		either.add(schema);
		either.add(Map.of("type", "null"));
		return Map.of("anyOf", either);
	}

}
