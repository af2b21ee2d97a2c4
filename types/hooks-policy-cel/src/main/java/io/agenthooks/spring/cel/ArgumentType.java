package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.cel.Values.Kind;
import io.agenthooks.spring.json.StrictJson;

/**
 * The values that a part of a condition can have, as far as the schemas of tools and the
 * condition say. What a schema says in other words than a type, properties, items and an
 * enum is not known.
 *
 * @param elements what the elements of a list can be, or {@code null} if that is not
 * known
 * @param values the only values there are, or {@code null} if there may be any
 * @param format the format of a text, as a schema says it, or {@code null}
 */
record ArgumentType(Set<Kind> kinds, Map<String, ArgumentType> members, boolean open, @Nullable ArgumentType elements,
		@Nullable Set<Object> values, Set<String> declared, @Nullable String format) {

	ArgumentType(Set<Kind> kinds, Map<String, ArgumentType> members, boolean open, @Nullable ArgumentType elements,
			@Nullable Set<Object> values, Set<String> declared) {
		this(kinds, members, open, elements, values, declared, null);
	}

	static final ArgumentType ANY = of(EnumSet.allOf(Kind.class));

	/** These are not understood here. */
	private static final List<String> COMPOSED = List.of("$ref", "$dynamicRef", "$recursiveRef", "anyOf", "oneOf",
			"allOf", "if", "then", "else", "dependentSchemas", "dependencies");

	private static final Map<String, Kind> KINDS = Map.of("string", Kind.TEXT, "number", Kind.NUMBER, "integer",
			Kind.NUMBER, "boolean", Kind.BOOLEAN, "array", Kind.LIST, "object", Kind.MAP, "null", Kind.NULL);

	private static final int MAX_DECLARED = 3;

	static ArgumentType of(Set<Kind> kinds) {
		return new ArgumentType(kinds, Map.of(), true, null, null, Set.of());
	}

	static ArgumentType of(Kind kind) {
		return of(EnumSet.of(kind));
	}

	/** Of nothing, no more is known. */
	static ArgumentType ofWritten(@Nullable Object value) {
		if (value == null) {
			return ANY;
		}
		return new ArgumentType(EnumSet.of(Values.kind(value)), Map.of(), true, null,
				(value instanceof String || value instanceof Number) ? Set.of(plain(value)) : null, Set.of());
	}

	static ArgumentType listOf(ArgumentType elements) {
		return new ArgumentType(EnumSet.of(Kind.LIST), Map.of(), true, elements, null, Set.of());
	}

	static ArgumentType of(CelType type) {
		return switch (type.kind()) {
			case STRING -> of(Kind.TEXT);
			case INT, UINT, DOUBLE -> of(Kind.NUMBER);
			case BOOL -> of(Kind.BOOLEAN);
			case TIMESTAMP -> of(Kind.TIME);
			case DURATION -> of(Kind.DURATION);
			case MAP -> of(Kind.MAP);
			case LIST ->
				(type instanceof ListType list && list.hasElemType()) ? listOf(of(list.elemType())) : of(Kind.LIST);
			default -> ANY;
		};
	}

	static ArgumentType ofTools(Map<String, Set<String>> tools, Predicate<String> chosen) {
		return tools.entrySet()
			.stream()
			.filter((tool) -> chosen.test(tool.getKey()))
			.flatMap((tool) -> (tool.getValue().isEmpty()) ? Stream.of(ANY)
					: tool.getValue().stream().map((schema) -> ofArguments(tool.getKey(), schema)))
			.reduce(ArgumentType::or)
			.orElse(ANY);
	}

	private static ArgumentType ofArguments(String tool, String schema) {
		try {
			return ofSchema(SafeText.name(tool),
					new StrictJson(Byte.MAX_VALUE).readObject(schema.getBytes(StandardCharsets.UTF_8)));
		}
		catch (RuntimeException ex) {
			return ANY;
		}
	}

	private static ArgumentType ofSchema(String tool, @Nullable Object written) {
		if (!(written instanceof Map<?, ?> schema) || COMPOSED.stream().anyMatch(schema::containsKey)) {
			return ANY;
		}
		Set<Object> values = values(schema);
		Kind kind = kind(schema, values);
		if (kind == null) {
			return ANY;
		}
		Map<String, ArgumentType> members = new HashMap<>();
		if (schema.get("properties") instanceof Map<?, ?> properties) {
			properties.forEach((name, property) -> members.put((String) name, ofSchema(tool, property)));
		}
		Object others = schema.get("additionalProperties");
		boolean open = schema.containsKey("patternProperties") || others instanceof Map || Boolean.TRUE.equals(others)
				|| !(schema.containsKey("properties") || Boolean.FALSE.equals(others));
		ArgumentType elements = (schema.containsKey("prefixItems") || !schema.containsKey("items")) ? null
				: ofSchema(tool, schema.get("items"));
		return new ArgumentType(EnumSet.of(kind), members, open, elements, values,
				Set.of("'%s' in the tool '%s'".formatted(typeOf(schema, kind), tool)),
				(schema.get("format") instanceof String format) ? format : null);
	}

	private static @Nullable Set<Object> values(Map<?, ?> schema) {
		Object all = (schema.get("const") != null) ? List.of(schema.get("const")) : schema.get("enum");
		if (!(all instanceof Collection<?> list) || list.isEmpty()
				|| !list.stream().allMatch((value) -> value instanceof String || value instanceof Number)) {
			return null;
		}
		return list.stream().map(ArgumentType::plain).collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** {@code null} if that is not known. */
	private static @Nullable Kind kind(Map<?, ?> schema, @Nullable Set<Object> values) {
		Object type = (schema.get("type") instanceof List<?> types && types.size() == 1) ? types.get(0)
				: schema.get("type");
		if (type != null) {
			return (type instanceof String name) ? KINDS.get(name) : null;
		}
		Set<Kind> kinds = (values != null) ? values.stream().map(Values::kind).collect(Collectors.toSet()) : Set.of();
		return (kinds.size() == 1) ? kinds.iterator().next() : (schema.containsKey("properties")) ? Kind.MAP : null;
	}

	private static String typeOf(Map<?, ?> schema, Kind kind) {
		return (schema.get("type") instanceof String type) ? type
				: KINDS.entrySet()
					.stream()
					.filter((entry) -> entry.getValue() == kind)
					.map(Map.Entry::getKey)
					.max(Comparator.naturalOrder())
					.orElse("");
	}

	ArgumentType or(ArgumentType other) {
		if (is(Kind.OTHER) || other.is(Kind.OTHER)) {
			return ANY;
		}
		Set<Kind> kinds = union(this.kinds, other.kinds);
		Map<String, ArgumentType> members = new HashMap<>();
		Stream.concat(this.members.keySet().stream(), other.members.keySet().stream())
			.forEach((name) -> members.computeIfAbsent(name, (key) -> memberOr(key, other)));
		ArgumentType elements = (this.elements != null && other.elements != null) ? this.elements.or(other.elements)
				: (!is(Kind.LIST)) ? other.elements : (!other.is(Kind.LIST)) ? this.elements : null;
		Set<Object> values = (this.values != null && other.values != null) ? union(this.values, other.values) : null;
		boolean open = (is(Kind.MAP) && this.open) || (other.is(Kind.MAP) && other.open);
		return new ArgumentType(kinds, members, open, elements, values, union(this.declared, other.declared),
				(this.format != null) ? this.format : other.format);
	}

	private ArgumentType memberOr(String name, ArgumentType other) {
		ArgumentType member = (is(Kind.MAP)) ? member(name) : null;
		ArgumentType otherMember = (other.is(Kind.MAP)) ? other.member(name) : null;
		if (member == null || otherMember == null) {
			return Objects.requireNonNull((member != null) ? member : otherMember);
		}
		return member.or(otherMember);
	}

	private static <T> Set<T> union(Set<T> one, Set<T> other) {
		Set<T> all = new LinkedHashSet<>(one);
		all.addAll(other);
		return all;
	}

	boolean is(Kind kind) {
		return this.kinds.contains(kind);
	}

	/** Nothing is compared with all. */
	boolean isAnyOf(Collection<Kind> some) {
		return this.kinds.contains(Kind.OTHER) || some.contains(Kind.OTHER)
				|| some.stream().anyMatch(this.kinds::contains);
	}

	@Nullable ArgumentType member(String name) {
		ArgumentType member = this.members.get(name);
		return (member == null && this.open) ? ANY : member;
	}

	String inWords() {
		List<String> sorted = this.declared.stream().sorted().toList();
		return sorted.stream().limit(MAX_DECLARED).collect(Collectors.joining(" and "))
				+ ((sorted.size() > MAX_DECLARED) ? " and others" : "");
	}

	/** Equal numbers become equal values. */
	static Object plain(Object value) {
		if (!(value instanceof Number written)) {
			return value;
		}
		BigDecimal number = new BigDecimal(written.toString());
		return (number.signum() == 0) ? BigDecimal.ZERO : number.stripTrailingZeros();
	}

}
