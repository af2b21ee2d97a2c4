package io.agenthooks.spring.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * The tools that are known when the application starts, and whether there may be others.
 */
final class KnownTools {

	/** Keywords whose value is a schema or a list of them. */
	private static final List<String> SCHEMAS = List.of("items", "prefixItems", "anyOf", "oneOf", "allOf");

	private static final List<String> DEFINITIONS = List.of("$defs", "definitions");

	/** The names of the arguments of each tool, at any depth; null if they may be any. */
	private final Map<String, @Nullable Set<String>> arguments = new LinkedHashMap<>();

	private @Nullable String unknown;

	/**
	 * Know a tool of whose arguments nothing is known.
	 */
	void add(String tool) {
		this.arguments.putIfAbsent(tool, null);
	}

	/**
	 * Know a tool.
	 * @param schema the schema of its arguments, as JSON
	 */
	void add(String tool, String schema) {
		Set<String> names = argumentsOf(schema);
		if (names == null || !this.arguments.containsKey(tool) || this.arguments.get(tool) == null) {
			this.arguments.put(tool, names);
		}
		else {
			names.addAll(this.arguments.getOrDefault(tool, Set.of()));
			this.arguments.put(tool, names);
		}
	}

	/**
	 * Know that there may be tools of which nothing is known.
	 * @param why who has them
	 */
	void addUnknown(String why) {
		this.unknown = why;
	}

	/**
	 * Why not all tools are known, or {@code null} if all of them are.
	 */
	@Nullable String unknown() {
		return (this.arguments.isEmpty()) ? "no tool is known at the start" : this.unknown;
	}

	Set<String> names() {
		return Collections.unmodifiableSet(this.arguments.keySet());
	}

	/**
	 * The names of the arguments of some tools, or {@code null} if one of these may have
	 * any.
	 */
	@Nullable Set<String> argumentsOf(Collection<String> tools) {
		Set<String> all = new HashSet<>();
		for (String tool : tools) {
			Set<String> names = this.arguments.get(tool);
			if (names == null) {
				return null;
			}
			all.addAll(names);
		}
		return all;
	}

	private static @Nullable Set<String> argumentsOf(String schema) {
		try {
			Set<String> names = new HashSet<>();
			Map<String, @Nullable Object> object = new StrictJson(Byte.MAX_VALUE)
				.readObject(schema.getBytes(StandardCharsets.UTF_8));
			return (collect(object, names)) ? names : null;
		}
		catch (InvalidJsonException ex) {
			return null;
		}
	}

	/**
	 * Collect the names of all properties in a schema.
	 * @return whether there can be no others
	 */
	private static boolean collect(@Nullable Object schema, Set<String> names) {
		if (schema instanceof List<?> list) {
			boolean all = true;
			for (Object each : list) {
				all &= collect(each, names);
			}
			return all;
		}
		if (!(schema instanceof Map<?, ?> object)) {
			return false;
		}
		boolean all = isClosed(object);
		if (object.get("properties") instanceof Map<?, ?> properties) {
			for (Map.Entry<?, ?> property : properties.entrySet()) {
				names.add((String) property.getKey());
				all &= collect(property.getValue(), names);
			}
		}
		for (String keyword : SCHEMAS) {
			all &= !object.containsKey(keyword) || collect(object.get(keyword), names);
		}
		for (String keyword : DEFINITIONS) {
			if (object.get(keyword) instanceof Map<?, ?> definitions) {
				for (Object definition : definitions.values()) {
					all &= collect(definition, names);
				}
			}
		}
		return all;
	}

	private static boolean isClosed(Map<?, ?> schema) {
		Object others = schema.get("additionalProperties");
		if (schema.containsKey("patternProperties") || others instanceof Map || Boolean.TRUE.equals(others)) {
			return false;
		}
		boolean composed = schema.containsKey("$ref") || SCHEMAS.stream().anyMatch(schema::containsKey);
		Object type = schema.get("type");
		if (type == null) {
			return composed || schema.containsKey("properties") || schema.containsKey("enum")
					|| schema.containsKey("const");
		}
		boolean mayBeObject = "object".equals(type) || (type instanceof List<?> types && types.contains("object"));
		boolean mayBeList = "array".equals(type) || (type instanceof List<?> types && types.contains("array"));
		return (!mayBeObject || schema.containsKey("properties") || Boolean.FALSE.equals(others) || composed)
				&& (!mayBeList || composed);
	}

}
