package io.agenthooks.spring.origin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;

/**
 * The tools that are known when the application starts, and whether there may be others.
 *
 * @since 0.1.0
 */
public final class KnownTools {

	/** Keywords whose value is a schema or a list of them. */
	private static final List<String> SCHEMAS = List.of("items", "prefixItems", "anyOf", "oneOf", "allOf");

	private static final List<String> DEFINITIONS = List.of("$defs", "definitions");

	private final Map<String, List<Supplier<String>>> schemas = new LinkedHashMap<>();

	private final Set<String> unspecified = new HashSet<>();

	private final Set<String> lenient = new HashSet<>();

	private final Map<String, List<Supplier<@Nullable String>>> descriptions = new LinkedHashMap<>();

	private final Set<Source> sources = new LinkedHashSet<>();

	private final Set<String> unknowns = new LinkedHashSet<>();

	private @Nullable String unknown;

	public void add(String tool) {
		this.unspecified.add(tool);
		this.schemas.computeIfAbsent(tool, (name) -> new ArrayList<>());
	}

	public void add(String tool, Supplier<String> schema) {
		this.schemas.computeIfAbsent(tool, (name) -> new ArrayList<>()).add(schema);
	}

	/**
	 * Add a tool that may accept other arguments than the model is told, such as null for
	 * an optional one.
	 * @param tool its name
	 * @param schema makes what the model is told of its arguments, as JSON
	 */
	public void addLenient(String tool, Supplier<String> schema) {
		this.lenient.add(tool);
		add(tool, schema);
	}

	public void describe(String tool, Supplier<@Nullable String> description) {
		this.descriptions.computeIfAbsent(tool, (name) -> new ArrayList<>()).add(description);
	}

	public void addSource(Source source) {
		this.sources.add(source);
	}

	/**
	 * Note that there may be unknown tools.
	 * @param why who has them
	 */
	public void addUnknown(String why) {
		this.unknown = why;
		this.unknowns.add(why);
	}

	public Set<Source> sources() {
		return Collections.unmodifiableSet(this.sources);
	}

	/**
	 * The sources that may have unknown tools.
	 * @return who they are, in words
	 */
	public Set<String> unknowns() {
		return Collections.unmodifiableSet(this.unknowns);
	}

	/**
	 * The reason why not all tools are known.
	 * @return why, or {@code null} if all are known
	 */
	public @Nullable String unknown() {
		return (this.schemas.isEmpty()) ? "no tool is known at the start" : this.unknown;
	}

	public Set<String> names() {
		return Collections.unmodifiableSet(this.schemas.keySet());
	}

	/**
	 * The schemas of the arguments that a tool accepts, several if tools share its name.
	 * @param tool the name of the tool
	 * @return the schemas, as JSON; empty if not all are known
	 */
	public Set<String> schemasOf(String tool) {
		return (this.lenient.contains(tool)) ? Set.of() : declaredOf(tool);
	}

	/**
	 * The schemas of the arguments of a tool as the model is told, several if tools share
	 * its name.
	 * @param tool the name of the tool
	 * @return the schemas, as JSON; empty if not all are known
	 */
	public Set<String> declaredOf(String tool) {
		if (this.unspecified.contains(tool)) {
			return Set.of();
		}
		Set<String> all = new HashSet<>();
		for (Supplier<String> schema : this.schemas.getOrDefault(tool, List.of())) {
			try {
				all.add(schema.get());
			}
			catch (RuntimeException | LinkageError ex) {
				return Set.of();
			}
		}
		return all;
	}

	/**
	 * The description of a tool as the model is told.
	 * @param tool the name of the tool
	 * @return the description, or {@code null} if none is known, or tools of the name
	 * have others
	 */
	public @Nullable String descriptionOf(String tool) {
		Set<@Nullable String> all = new HashSet<>();
		for (Supplier<@Nullable String> description : this.descriptions.getOrDefault(tool, List.of())) {
			try {
				all.add(description.get());
			}
			catch (RuntimeException | LinkageError ex) {
				return null;
			}
		}
		return (all.size() == 1) ? all.iterator().next() : null;
	}

	/**
	 * The names of the arguments of some tools.
	 * @param tools the names of the tools
	 * @return the names of the arguments, or {@code null} if one of the tools may have
	 * any
	 */
	public @Nullable Set<String> argumentsOf(Collection<String> tools) {
		return argumentsOf(tools, false);
	}

	/**
	 * The names of the arguments of some tools and of all that is known to be inside of
	 * these. An argument may be a map with others inside of it.
	 * @param tools the names of the tools
	 * @return the names of the arguments, or {@code null} if one of the tools may have
	 * any
	 */
	public @Nullable Set<String> namedArgumentsOf(Collection<String> tools) {
		return argumentsOf(tools, true);
	}

	private @Nullable Set<String> argumentsOf(Collection<String> tools, boolean mayBeOpenInside) {
		Set<String> all = new HashSet<>();
		for (String tool : tools) {
			List<Supplier<String>> known = this.schemas.getOrDefault(tool, List.of());
			if (known.isEmpty() || this.unspecified.contains(tool)
					|| !known.stream().allMatch((schema) -> collect(schema, all, mayBeOpenInside))) {
				return null;
			}
		}
		return all;
	}

	private static boolean collect(Supplier<String> schema, Set<String> names, boolean mayBeOpenInside) {
		try {
			Map<String, ?> read = new StrictJson(Byte.MAX_VALUE)
				.readObject(schema.get().getBytes(StandardCharsets.UTF_8));
			boolean all = collect(read, names);
			return all || (mayBeOpenInside && isClosed(read) && !isComposed(read));
		}
		catch (RuntimeException | LinkageError ex) {
			return false;
		}
	}

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
		boolean composed = isComposed(schema);
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

	private static boolean isComposed(Map<?, ?> schema) {
		return schema.containsKey("$ref") || SCHEMAS.stream().anyMatch(schema::containsKey);
	}

	/**
	 * The source of a tool.
	 *
	 * @param tool the name of the tool
	 * @param bean the name of the bean
	 * @param kind what the bean is
	 * @since 0.1.0
	 */
	public record Source(String tool, String bean, Kind kind) {
	}

	/**
	 * The kind of what brings a tool.
	 *
	 * @since 0.1.0
	 */
	public enum Kind {

		/** An executor of ours. */
		EXECUTOR,

		/** A tool of Spring AI, or what provides some. */
		TOOL_CALLBACK,

		/** A method that Spring AI calls. */
		SPRING_AI_METHOD,

		/** A method that LangChain4j calls. */
		LANGCHAIN4J_METHOD

	}

}
