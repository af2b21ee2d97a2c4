package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.expression.CallExpression;

/** Reads by what calls are counted together, and collects all mistakes. */
record KeyReader(Expressions expressions, List<Problem> problems) {

	private static final String KEY = "key";

	private static final String EXPRESSION = "key_expression";

	private static final String ALL = "all";

	LimitKey readOne(@Nullable List<String> written, @Nullable String expression, List<WrittenLimit> limits) {
		List<LimitGroup> groups = read(written, expression, limits);
		return (!groups.isEmpty()) ? groups.get(0).key()
				: new LimitKey((written != null) ? parts(written) : List.of(), readOrNull(expression));
	}

	/**
	 * Each limit counts by the part that takes the place of its period, and by what is
	 * written; one of a time without a key counts as the others do.
	 */
	List<LimitGroup> read(@Nullable List<String> written, @Nullable String expression, List<WrittenLimit> limits) {
		List<KeyPart> named = unique(limits.stream().map(WrittenLimit::per).filter(Objects::nonNull).toList());
		if (limits.isEmpty()) {
			return List.of();
		}
		boolean timed = limits.stream().anyMatch((limit) -> limit.per() == null);
		if (written == null && timed && (named.size() > 1 || (named.isEmpty() && expression == null))) {
			problem(KEY,
					(named.isEmpty()) ? "Nothing says which calls are counted together."
							: "Nothing says which calls the limit of a time counts together: the others count by "
									+ "different parts.",
					"Write 'key: session', another of %s, a list of these, or 'key: all'.".formatted(names()));
		}
		List<KeyPart> common = (written != null) ? parts(written) : List.of();
		for (KeyPart part : common) {
			if (named.size() > 1 && contains(named, part)) {
				problem(KEY, "The key has '%s', by which only some of the limits count.".formatted(part.name()),
						"Remove it from the key: each limit counts by its own part and by the key.");
			}
		}
		KeyPart only = (written == null && named.size() == 1) ? named.get(0) : null;
		CallExpression more = readOrNull(expression);
		Map<String, LimitGroup> groups = new LinkedHashMap<>();
		for (WrittenLimit limit : limits) {
			List<KeyPart> parts = with(common, (limit.per() != null) ? limit.per() : only);
			groups.merge(parts.stream().map(KeyPart::name).collect(Collectors.joining("\n")),
					new LimitGroup(new LimitKey(parts, more), List.of(limit)),
					(group, one) -> new LimitGroup(group.key(),
							Stream.concat(group.limits().stream(), one.limits().stream()).toList()));
		}
		return List.copyOf(groups.values());
	}

	private static List<KeyPart> unique(List<KeyPart> parts) {
		List<KeyPart> unique = List.of();
		for (KeyPart part : parts) {
			unique = with(unique, part);
		}
		return unique;
	}

	private static List<KeyPart> with(List<KeyPart> parts, @Nullable KeyPart more) {
		return (more == null || contains(parts, more)) ? parts
				: Stream.concat(parts.stream(), Stream.of(more)).toList();
	}

	private static boolean contains(List<KeyPart> parts, KeyPart part) {
		return parts.stream().anyMatch((other) -> other.name().equals(part.name()));
	}

	private List<KeyPart> parts(List<String> written) {
		List<KeyPart> parts = new ArrayList<>();
		if (written.size() == 1 && ALL.equalsIgnoreCase(written.get(0).strip())) {
			return parts;
		}
		if (written.isEmpty()) {
			problem(KEY, "The key is empty.", "Write 'key: all' if all calls are counted together.");
		}
		for (String name : written) {
			KeyPart part = KeyPart.of(name);
			if (part == null) {
				problem(KEY, "The key has an unknown part.",
						"The parts are %s; 'all' stands alone.".formatted(names()));
			}
			else if (contains(parts, part)) {
				problem(KEY, "The key has the part '%s' twice.".formatted(part.name()), "Write it once.");
			}
			else {
				parts.add(part);
			}
		}
		return parts;
	}

	private static String names() {
		return String.join(", ", KeyPart.NAMES);
	}

	private @Nullable CallExpression readOrNull(@Nullable String expression) {
		if (expression == null) {
			return null;
		}
		try {
			return this.expressions.read(EXPRESSION, expression);
		}
		catch (InvalidHookConfigException ex) {
			this.problems.addAll(ex.getProblems());
			return null;
		}
	}

	private void problem(String option, String message, String action) {
		this.problems.add(new Problem(List.of(option), message, action));
	}

	@FunctionalInterface
	interface Expressions {

		CallExpression read(String option, String text);

	}

}
