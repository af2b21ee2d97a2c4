package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.policy.CallExpression;

/**
 * Reads by what calls are counted together, and collects all mistakes.
 */
final class KeyReader {

	private static final String KEY = "key";

	private static final String EXPRESSION = "key_expression";

	private static final String ALL = "all";

	private final Expressions expressions;

	private final List<Problem> problems;

	/**
	 * Create a reader.
	 * @param expressions reads the expression
	 * @param problems gets everything that is wrong
	 */
	KeyReader(Expressions expressions, List<Problem> problems) {
		this.expressions = expressions;
		this.problems = problems;
	}

	/**
	 * Read a key. Without one, the parts that take the place of a period are the key.
	 */
	LimitKey read(@Nullable List<String> written, @Nullable String expression, List<WrittenLimit> limits) {
		List<KeyPart> needed = limits.stream().flatMap((limit) -> part(limit.per())).distinct().toList();
		List<KeyPart> parts = (written != null) ? parts(written) : uniqueOf(needed);
		if (written == null && parts.isEmpty() && expression == null && !limits.isEmpty()) {
			problem(KEY, "Nothing says which calls are counted together.",
					"Write 'key: session', another of %s, a list of these, or 'key: all'.".formatted(names()));
		}
		for (KeyPart part : needed) {
			if (written != null && parts.stream().noneMatch((other) -> other.name().equals(part.name()))) {
				problem(KEY, "A limit counts per %s, which is no part of the key.".formatted(part.describe()),
						"Add '%s' to the key, or leave the key out.".formatted(part.name()));
			}
		}
		return new LimitKey(parts, (expression != null) ? read(expression) : null);
	}

	private static Stream<KeyPart> part(@Nullable KeyPart part) {
		return Stream.ofNullable(part);
	}

	private static List<KeyPart> uniqueOf(List<KeyPart> parts) {
		List<KeyPart> unique = new ArrayList<>();
		for (KeyPart part : parts) {
			if (unique.stream().noneMatch((other) -> other.name().equals(part.name()))) {
				unique.add(part);
			}
		}
		return unique;
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
			else if (parts.stream().anyMatch((other) -> other.name().equals(part.name()))) {
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

	private @Nullable CallExpression read(String expression) {
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

	/**
	 * Reads expressions.
	 */
	@FunctionalInterface
	interface Expressions {

		/**
		 * Read an expression.
		 * @throws InvalidHookConfigException if it has a mistake, or if nobody can read
		 * it
		 */
		CallExpression read(String option, String text);

	}

}
