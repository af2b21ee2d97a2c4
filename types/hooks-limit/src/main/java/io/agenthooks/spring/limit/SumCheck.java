package io.agenthooks.spring.limit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.scope.ArgumentsInConditions;

/**
 * Compares the argument that a budget adds up with the schemas of the tools that use it
 * up: each call of a tool that has no such number would be denied. What a schema says in
 * other words than a type and properties is not known.
 *
 * @param text the argument as it is written
 * @param path the names that lead to it
 */
record SumCheck(String text, List<String> path) implements ArgumentsInConditions {

	/** These are not understood here. */
	private static final List<String> COMPOSED = List.of("$ref", "$dynamicRef", "$recursiveRef", "anyOf", "oneOf",
			"allOf", "if", "then", "else", "dependentSchemas", "dependencies");

	private static final Set<String> NUMBERS = Set.of("number", "integer");

	@Override
	public List<Found> check(Map<String, Set<String>> tools) {
		Map<String, Wrong> wrong = new TreeMap<>();
		tools.forEach((tool, schemas) -> {
			List<Wrong> all = schemas.stream().map(this::wrongIn).filter(Objects::nonNull).toList();
			if (!all.isEmpty() && all.size() == schemas.size()) {
				wrong.put(tool, all.get(0));
			}
		});
		boolean some = wrong.size() < tools.size();
		if (!some && !wrong.isEmpty() && wrong.values().stream().allMatch((each) -> each.type() == null)) {
			return List.of(nowhere(wrong.values()));
		}
		List<Found> found = new ArrayList<>();
		wrong.forEach((tool, each) -> found.add(in(tool, each, some)));
		return found;
	}

	private Found nowhere(Collection<Wrong> wrong) {
		Wrong first = wrong.iterator().next();
		Set<String> known = new TreeSet<>();
		wrong.stream().filter((each) -> each.depth() == first.depth()).forEach((each) -> known.addAll(each.known()));
		return found(first,
				"The sum reads %s, and no tool that the hook is for has this argument.".formatted(this.text),
				Spelling.meant(this.path.get(first.depth()), known), false);
	}

	private Found in(String tool, Wrong wrong, boolean suspicion) {
		String what = (wrong.type() != null)
				? "it is '%s' in the tool '%s'".formatted(wrong.type(), SafeText.name(tool))
				: "the tool '%s' has no such argument".formatted(SafeText.name(tool));
		return found(wrong, "The sum reads %s, but %s, so its calls are denied.".formatted(this.text, what),
				(wrong.type() == null) ? Spelling.meant(this.path.get(wrong.depth()), wrong.known())
						: (wrong.known().isEmpty()) ? "Name an argument that is a number."
								: "Name an argument that is a number: %s."
									.formatted(String.join(", ", wrong.known().stream().map(SafeText::name).toList())),
				suspicion);
	}

	private Found found(Wrong wrong, String message, String action, boolean suspicion) {
		int position = this.text.indexOf('.') + 1;
		for (String name : this.path.subList(0, wrong.depth())) {
			position += name.length() + 1;
		}
		return new Found(List.of("sum"), this.text, position, message, action, suspicion);
	}

	/** {@code null} if some call that fits a schema has the number. */
	private @Nullable Wrong wrongIn(String json) {
		Object schema;
		try {
			schema = new StrictJson(Byte.MAX_VALUE).readObject(json.getBytes(StandardCharsets.UTF_8));
		}
		catch (RuntimeException ex) {
			return null;
		}
		for (int depth = 0; depth < this.path.size(); depth++) {
			Map<?, ?> properties = propertiesOf(schema);
			if (properties == null) {
				return null;
			}
			Object member = properties.get(this.path.get(depth));
			if (member == null) {
				return new Wrong(depth, names(properties).toList(), null);
			}
			boolean last = depth == this.path.size() - 1;
			String type = typeOf(member);
			if (type != null && !((last) ? NUMBERS.contains(type) : type.equals("object"))) {
				return new Wrong(depth, numbers(properties), type);
			}
			schema = member;
		}
		return null;
	}

	private static @Nullable Map<?, ?> propertiesOf(@Nullable Object schema) {
		if (!(schema instanceof Map<?, ?> map) || COMPOSED.stream().anyMatch(map::containsKey)
				|| map.containsKey("patternProperties")) {
			return null;
		}
		Object others = map.get("additionalProperties");
		Object properties = map.get("properties");
		if (others instanceof Map || Boolean.TRUE.equals(others)) {
			return null;
		}
		return (properties instanceof Map<?, ?> known) ? known : (Boolean.FALSE.equals(others)) ? Map.of() : null;
	}

	private static @Nullable String typeOf(Object written) {
		if (!(written instanceof Map<?, ?> schema) || COMPOSED.stream().anyMatch(schema::containsKey)) {
			return null;
		}
		Object type = schema.get("type");
		if (type instanceof List<?> types) {
			List<?> others = types.stream().filter((each) -> !"null".equals(each)).toList();
			type = (others.size() == 1) ? others.get(0) : null;
		}
		return (type instanceof String name) ? name : null;
	}

	private static List<String> numbers(Map<?, ?> properties) {
		return names(properties).filter((name) -> {
			Object member = properties.get(name);
			return member != null && NUMBERS.contains(String.valueOf(typeOf(member)));
		}).toList();
	}

	private static Stream<String> names(Map<?, ?> properties) {
		return properties.keySet().stream().map(String::valueOf).sorted();
	}

	/**
	 * Why an argument is no number.
	 *
	 * @param depth the name of the path that is wrong
	 * @param known the names that there are, or those of numbers if the type is wrong
	 * @param type the type, or {@code null} if there is no such name
	 */
	private record Wrong(int depth, List<String> known, @Nullable String type) {
	}

}
