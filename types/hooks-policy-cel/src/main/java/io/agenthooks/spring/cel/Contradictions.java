package io.agenthooks.spring.cel;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what is never true, or always: two values of one argument at once, an empty
 * range, a size below zero, an upper case letter in a text of lower case. Such a rule
 * does not do what its writer means.
 */
record Contradictions(CelSource source) {

	void check(CelExpr part) {
		if (part.getKind() == Kind.COMPREHENSION) {
			checkNotEmpty(part.comprehension().iterRange());
			check(part.comprehension().iterRange());
			check(part.comprehension().loopStep());
			checkJoined(part, true);
			return;
		}
		if (part.getKind() == Kind.SELECT) {
			check(part.select().operand());
		}
		if (part.getKind() != Kind.CALL) {
			return;
		}
		String function = part.call().function();
		if (function.equals("_&&_") || function.equals("_||_")) {
			flat(part, function).forEach(this::check);
			checkJoined(part, function.equals("_&&_"));
			return;
		}
		if (function.equals("@in")) {
			checkNotEmpty(part.call().args().get(1));
		}
		checkCase(part, part.call());
		if (Facts.isComparison(function) || Facts.isOfTexts(function)) {
			if (isNever(Ways.of(part, false))) {
				throw never(part, "This can never hold");
			}
			if (isNever(Ways.of(part, true))) {
				throw this.source.mistake(part, "This holds always", "Correct the condition.");
			}
		}
		parts(part.call()).forEach(this::check);
		if (function.equals("_?_:_")) {
			checkJoined(part, true);
		}
	}

	private void checkNotEmpty(CelExpr list) {
		if (list.getKind() == Kind.LIST && list.list().elements().isEmpty()) {
			throw this.source.mistake(list, "This list is empty, so there is nothing to find in it",
					"Write what is to be in it.");
		}
	}

	private void checkJoined(CelExpr part, boolean and) {
		if (isNever(Ways.of(part, false))) {
			throw never(part, (and) ? "These parts can never hold together" : "Each of these parts can never hold");
		}
		if (isNever(Ways.of(part, true))) {
			throw this.source.mistake(part, "One of these parts holds always, so this is always true",
					"Correct the condition. If all of them are meant, write &&.");
		}
	}

	/** The rule never matches: all that it takes in is left out again. */
	static boolean exclude(CelExpr when, CelExpr unless) {
		return isNever(Ways.both(Ways.of(when, false), Ways.of(unless, true)));
	}

	private static boolean isNever(@Nullable List<List<Ways.Part>> ways) {
		return ways != null && ways.stream().allMatch(Facts::contradict);
	}

	private UnreadableConditionException never(CelExpr part, String message) {
		return this.source.mistake(part, message, "Correct the condition. If one of them is enough, write ||.");
	}

	private static List<CelExpr> flat(CelExpr part, String function) {
		return (part.getKind() == Kind.CALL && part.call().function().equals(function))
				? part.call().args().stream().flatMap((each) -> flat(each, function).stream()).toList() : List.of(part);
	}

	private static Stream<CelExpr> parts(CelExpr.CelCall call) {
		return Stream.concat(call.target().stream(), call.args().stream());
	}

	/** In a text of lower case there is no letter of upper case. */
	private void checkCase(CelExpr part, CelExpr.CelCall call) {
		boolean ofTexts = Facts.isOfTexts(call.function()) && call.target().isPresent() && call.args().size() == 1;
		if (!ofTexts && !Facts.isComparison(call.function())) {
			return;
		}
		List<CelExpr> sides = parts(call).toList();
		checkCase(part, sides.get(0), sides.get(1), call.function());
		if (!ofTexts) {
			checkCase(part, sides.get(1), sides.get(0), call.function());
		}
	}

	private void checkCase(CelExpr part, CelExpr made, CelExpr written, String function) {
		Set<String> done = functionsOf(made);
		String field = ThingFields.inLowerCase(this.source, made);
		for (String text : textsOf(written)) {
			if (function.equals("startsWith")) {
				ThingFields.checkStart(this.source, made, text);
			}
			boolean lower = done.contains("lowerAscii") || field != null;
			String left = (lower && needs(text, function, 'A', 'Z')) ? "upper-case letter"
					: (done.contains("upperAscii") && needs(text, function, 'a', 'z')) ? "lower-case letter"
							: (done.contains("trim") && hasEdge(text, function)) ? "blank at its ends" : null;
			if (left != null) {
				throw this.source.mistake(part,
						"The text of %s has no %s, so it never has what is written here".formatted((field != null)
								? field : done.stream().sorted().collect(Collectors.joining("() and ")) + "()", left),
						"Write the text as it is left there.");
			}
		}
	}

	private static boolean needs(String text, String function, char first, char last) {
		return (function.equals("matches")) ? WrittenPatterns.needsAnyOf(text, first, last)
				: text.chars().anyMatch((character) -> character >= first && character <= last);
	}

	private static boolean hasEdge(String text, String function) {
		return switch (function) {
			case "contains", "matches" -> false;
			case "startsWith" -> !text.equals(text.stripLeading());
			case "endsWith" -> !text.equals(text.stripTrailing());
			default -> !text.equals(text.strip());
		};
	}

	private static Set<String> functionsOf(CelExpr made) {
		Set<String> functions = new HashSet<>();
		CelExpr part = made;
		while (part.getKind() == Kind.CALL && part.call().target().isPresent() && part.call().args().isEmpty()
				&& Set.of("lowerAscii", "upperAscii", "trim").contains(part.call().function())) {
			boolean hasCase = functions.contains("lowerAscii") || functions.contains("upperAscii");
			if (part.call().function().equals("trim") || !hasCase) {
				functions.add(part.call().function());
			}
			part = part.call().target().get();
		}
		return functions;
	}

	private static List<String> textsOf(CelExpr written) {
		List<CelExpr> parts = (written.getKind() == Kind.LIST) ? written.list().elements() : List.of(written);
		return parts.stream()
			.filter((part) -> part.getKind() == Kind.CONSTANT
					&& part.constant().getKind() == CelConstant.Kind.STRING_VALUE)
			.map((part) -> part.constant().stringValue())
			.toList();
	}

}
