package io.agenthooks.spring.policy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Refuses parts of a condition that are never true, or always, whatever the call is: two
 * values of one argument at once, an empty range of numbers, a size below zero, an upper
 * case letter in a text of lower case. A rule with such a part does not do what its
 * writer means.
 */
final class Contradictions {

	private static final Map<String, String> NEGATED = Map.of("_==_", "_!=_", "_!=_", "_==_", "_<_", "_>=_", "_>=_",
			"_<_", "_>_", "_<=_", "_<=_", "_>_");

	private static final Map<String, String> TURNED = Map.of("_==_", "_==_", "_!=_", "_!=_", "_<_", "_>_", "_>_", "_<_",
			"_<=_", "_>=_", "_>=_", "_<=_");

	private static final Set<String> OF_TEXTS = Set.of("contains", "startsWith", "endsWith");

	private final CelSource source;

	Contradictions(CelSource source) {
		this.source = source;
	}

	/**
	 * Look at a condition and all its parts.
	 * @throws UnreadableConditionException if one is never true, or always
	 */
	void check(CelExpr part) {
		if (part.getKind() == Kind.COMPREHENSION) {
			check(part.comprehension().iterRange());
			check(part.comprehension().loopStep());
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
			boolean and = function.equals("_&&_");
			List<CelExpr> parts = flat(part, function);
			parts.forEach(this::check);
			if (new Facts(parts, !and).contradict()) {
				throw (and) ? never(part, "These parts can never hold together")
						: this.source.mistake(part, "One of these parts holds always, so this is always true",
								"Correct the condition. If all of them are meant, write &&.");
			}
			return;
		}
		checkCase(part, part.call());
		if (isComparison(function)) {
			if (new Facts(List.of(part), false).contradict()) {
				throw never(part, "This can never hold");
			}
			if (new Facts(List.of(part), true).contradict()) {
				throw this.source.mistake(part, "This holds always", "Correct the condition.");
			}
		}
		parts(part.call()).forEach(this::check);
	}

	private UnreadableConditionException never(CelExpr part, String message) {
		return this.source.mistake(part, message, "Correct the condition. If one of them is enough, write ||.");
	}

	private static boolean isComparison(String function) {
		return NEGATED.containsKey(function) || function.equals("@in");
	}

	private static List<CelExpr> flat(CelExpr part, String function) {
		return (part.getKind() == Kind.CALL && part.call().function().equals(function))
				? part.call().args().stream().flatMap((each) -> flat(each, function).stream()).toList() : List.of(part);
	}

	private static Stream<CelExpr> parts(CelExpr.CelCall call) {
		return Stream.concat(call.target().stream(), call.args().stream());
	}

	/**
	 * Refuse a text that a function before it leaves in no text.
	 */
	private void checkCase(CelExpr part, CelExpr.CelCall call) {
		boolean ofTexts = OF_TEXTS.contains(call.function()) && call.target().isPresent() && call.args().size() == 1;
		if (!ofTexts && !isComparison(call.function())) {
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
		for (String text : textsOf(written)) {
			String left = (done.contains("lowerAscii") && text.matches("(?s).*[A-Z].*")) ? "upper-case letter"
					: (done.contains("upperAscii") && text.matches("(?s).*[a-z].*")) ? "lower-case letter"
							: (done.contains("trim") && hasEdge(text, function)) ? "blank at its ends" : null;
			if (left != null) {
				throw this.source.mistake(part,
						"The text of %s() has no %s, so it never has what is written here"
							.formatted(done.stream().sorted().collect(Collectors.joining("() and ")), left),
						"Write the text as the function leaves it.");
			}
		}
	}

	private static boolean hasEdge(String text, String function) {
		return switch (function) {
			case "contains" -> false;
			case "startsWith" -> !text.equals(text.stripLeading());
			case "endsWith" -> !text.equals(text.stripTrailing());
			default -> !text.equals(text.strip());
		};
	}

	/**
	 * What was last done to a text: the case it has, and whether it was trimmed.
	 */
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

	/**
	 * A part as text, equal for parts that have the same value, or empty if that is not
	 * known.
	 */
	private static Optional<String> name(CelExpr part) {
		return switch (part.getKind()) {
			case IDENT -> Optional.of(part.ident().name());
			case SELECT -> (part.select().testOnly()) ? Optional.empty()
					: name(part.select().operand()).map((operand) -> operand + "." + part.select().field());
			case CONSTANT -> Optional.of(part.constant().toString());
			case CALL -> {
				String field = fieldOf(part.call());
				if (field != null) {
					yield name(part.call().args().get(0)).map((operand) -> operand + "." + field);
				}
				List<Optional<String>> names = parts(part.call()).map(Contradictions::name).toList();
				yield (names.stream().allMatch(Optional::isPresent)) ? Optional.of(names.stream()
					.map(Optional::orElseThrow)
					.collect(Collectors.joining(",", part.call().function() + "(", ")"))) : Optional.empty();
			}
			default -> Optional.empty();
		};
	}

	/**
	 * The name in an access such as {@code args['name']} that could be written with a
	 * dot.
	 */
	private static @Nullable String fieldOf(CelExpr.CelCall call) {
		if (!call.function().equals("_[_]")) {
			return null;
		}
		CelExpr key = call.args().get(1);
		return (key.getKind() == Kind.CONSTANT && key.constant().getKind() == CelConstant.Kind.STRING_VALUE
				&& key.constant().stringValue().matches("[A-Za-z_]\\w*")) ? key.constant().stringValue() : null;
	}

	/**
	 * What some parts say of values if all of them hold, or if none does.
	 */
	private static final class Facts {

		private final Map<String, PossibleValues> values = new HashMap<>();

		private final Set<String> holding = new HashSet<>();

		private final Set<String> failing = new HashSet<>();

		Facts(List<CelExpr> parts, boolean negated) {
			parts.forEach((part) -> add(part, negated));
		}

		boolean contradict() {
			return this.values.values().stream().anyMatch(PossibleValues::isNone)
					|| this.holding.stream().anyMatch(this.failing::contains);
		}

		private void add(CelExpr part, boolean negated) {
			if (part.getKind() == Kind.CALL) {
				CelExpr.CelCall call = part.call();
				if (call.function().equals("!_")) {
					add(call.args().get(0), !negated);
					return;
				}
				if (isComparison(call.function())) {
					addComparison(call.function(), call.args().get(0), call.args().get(1), negated);
				}
				addText(call, negated);
			}
			if (part.getKind() != Kind.CONSTANT) {
				name(part).ifPresent((name) -> {
					boolean unequal = name.startsWith("_!=_");
					((negated != unequal) ? this.failing : this.holding)
						.add((unequal) ? "_==_" + name.substring("_!=_".length()) : name);
				});
			}
		}

		private void addComparison(String function, CelExpr left, CelExpr right, boolean negated) {
			if (function.equals("@in")) {
				List<Object> all = constants(right);
				if (!negated && all != null && !all.isEmpty()) {
					name(left).ifPresent((name) -> valuesOf(name, left).oneOf(all));
				}
				return;
			}
			Object constant = CelSource.constant(right);
			boolean turned = constant == null;
			constant = (turned) ? CelSource.constant(left) : constant;
			CelExpr other = (turned) ? left : right;
			CelExpr compared = (turned) ? right : left;
			if (constant == null || other.getKind() != Kind.CONSTANT || compared.getKind() == Kind.CONSTANT) {
				return;
			}
			String sign = (turned) ? TURNED.getOrDefault(function, function) : function;
			Object value = constant;
			name(compared).ifPresent((name) -> valuesOf(name, compared)
				.compare((negated) ? NEGATED.getOrDefault(sign, sign) : sign, value));
		}

		/**
		 * Add what a text has in it. Texts that have several spellings are left out.
		 */
		private void addText(CelExpr.CelCall call, boolean negated) {
			if (!OF_TEXTS.contains(call.function()) || call.target().isEmpty() || call.args().size() != 1
					|| !(CelSource.constant(call.args().get(0)) instanceof String written)
					|| !PlainTexts.isPlain(written)) {
				return;
			}
			CelExpr target = call.target().get();
			Predicate<String> has = switch (call.function()) {
				case "startsWith" -> (text) -> text.startsWith(written);
				case "endsWith" -> (text) -> text.endsWith(written);
				default -> (text) -> text.contains(written);
			};
			name(target).ifPresent((name) -> valuesOf(name, target).matching((negated) ? has.negate() : has));
		}

		private PossibleValues valuesOf(String name, CelExpr part) {
			return this.values.computeIfAbsent(name, (key) -> {
				PossibleValues values = new PossibleValues();
				if (part.getKind() == Kind.CALL && part.call().function().equals("size")) {
					values.compare("_>=_", BigDecimal.ZERO);
				}
				return values;
			});
		}

		private static @Nullable List<Object> constants(CelExpr list) {
			if (list.getKind() != Kind.LIST) {
				return null;
			}
			List<Object> all = new ArrayList<>();
			for (CelExpr element : list.list().elements()) {
				Object constant = CelSource.constant(element);
				if (constant == null) {
					return null;
				}
				all.add(constant);
			}
			return all;
		}

	}

}
