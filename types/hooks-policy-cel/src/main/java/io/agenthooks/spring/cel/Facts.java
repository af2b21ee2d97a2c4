package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import org.jspecify.annotations.Nullable;

/** The values left if all parts of a condition hold, and what functions make of these. */
final class Facts {

	private static final Map<String, String> NEGATED = Map.of("_==_", "_!=_", "_!=_", "_==_", "_<_", "_>=_", "_>=_",
			"_<_", "_>_", "_<=_", "_<=_", "_>_");

	private static final Map<String, String> TURNED = Map.of("_==_", "_==_", "_!=_", "_!=_", "_<_", "_>_", "_>_", "_<_",
			"_<=_", "_>=_", "_>=_", "_<=_");

	private static final Set<String> OF_TEXTS = Set.of("contains", "startsWith", "endsWith");

	/** Their result is known once their operand is. */
	private static final Set<String> OF_ONE = Set.of("size", "lowerAscii", "upperAscii", "trim");

	private static final Set<String> OF_TIMES = Set.of("timestamp", "duration");

	private static final Object NULL = new Object();

	private static final List<String> SIZE = List.of("size");

	/** By the name of something, for functions of it. */
	private final Map<String, Map<List<String>, PossibleValues>> values = new HashMap<>();

	/** Which of less (1), equal (2) and greater (4) is left for two unknown values. */
	private final Map<List<String>, Integer> orders = new HashMap<>();

	private final Set<String> holding = new HashSet<>();

	private final Set<String> failing = new HashSet<>();

	private Facts(List<Ways.Part> parts) {
		parts.forEach(this::add);
	}

	static boolean contradict(List<Ways.Part> parts) {
		Facts facts = new Facts(parts);
		return facts.values.values().stream().anyMatch(Facts::isNone) || facts.orders.containsValue(0)
				|| facts.holding.stream().anyMatch(facts.failing::contains);
	}

	static boolean isOfTexts(String function) {
		return OF_TEXTS.contains(function) || function.equals("matches");
	}

	static boolean isComparison(String function) {
		return NEGATED.containsKey(function) || function.equals("@in");
	}

	private static boolean isNone(Map<List<String>, PossibleValues> values) {
		PossibleValues own = values.get(List.of());
		PossibleValues size = values.get(SIZE);
		if (own != null && size != null) {
			size.compare("_>=_", BigDecimal.valueOf(own.leastLength()));
		}
		if (values.values().stream().anyMatch(PossibleValues::isNone)) {
			return true;
		}
		Set<Object> allowed = (own != null) ? own.allowed() : null;
		return allowed != null && allowed.stream().noneMatch((value) -> fits(value, values));
	}

	private static boolean fits(Object value, Map<List<String>, PossibleValues> values) {
		return values.entrySet().stream().allMatch((each) -> {
			boolean known = (value instanceof String text) ? PlainTexts.isPlain(text)
					: value instanceof List && each.getKey().equals(SIZE);
			boolean open = !each.getKey().isEmpty() && !known;
			return open || each.getValue().accepts(changed(value, each.getKey()));
		});
	}

	private static Object changed(Object value, List<String> functions) {
		Object changed = value;
		for (String function : functions) {
			changed = ArgumentType.plain(Objects.requireNonNull(
					new Functions.OfOne(function, new Expression.Constant(changed), "").value(Scope.beforeCalls())));
		}
		return changed;
	}

	private void add(Ways.Part part) {
		CelExpr expression = part.resolved();
		boolean negated = part.negated();
		if (expression.getKind() == Kind.CONSTANT) {
			return;
		}
		if (expression.getKind() == Kind.CALL) {
			CelExpr.CelCall call = expression.call();
			if (isComparison(call.function())) {
				addComparison(part, call.function(), call.args().get(0), call.args().get(1));
			}
			addText(part, call);
		}
		else {
			valuesOf(part, expression).ifPresent((values) -> values.compare("_==_", !negated));
		}
		name(part, expression).ifPresent((name) -> {
			boolean unequal = name.startsWith("_!=_");
			((negated != unequal) ? this.failing : this.holding)
				.add((unequal) ? "_==_" + name.substring("_!=_".length()) : name);
		});
	}

	private void addComparison(Ways.Part part, String function, CelExpr left, CelExpr right) {
		if (function.equals("@in")) {
			Object element = constant(part, left);
			if (element != null) {
				valuesOf(part, right).ifPresent((values) -> values.hasElement(element, part.negated()));
			}
			List<Object> all = constants(part, right);
			if (all != null && !all.isEmpty()) {
				valuesOf(part, left).ifPresent((values) -> {
					if (part.negated()) {
						values.noneOf(all);
					}
					else {
						values.oneOf(all);
					}
				});
			}
			return;
		}
		Object constant = constant(part, right);
		Object turned = constant(part, left);
		if (constant == null && turned == null) {
			addOrder(part, (part.negated()) ? NEGATED.getOrDefault(function, function) : function, left, right);
		}
		if ((constant == null) == (turned == null)) {
			return;
		}
		String sign = (constant != null) ? function : TURNED.getOrDefault(function, function);
		Object value = Objects.requireNonNull((constant != null) ? constant : turned);
		valuesOf(part, (constant != null) ? left : right)
			.ifPresent((values) -> values.compare((part.negated()) ? NEGATED.getOrDefault(sign, sign) : sign, value));
	}

	private void addOrder(Ways.Part part, String sign, CelExpr left, CelExpr right) {
		String one = name(part, left).orElse("");
		String other = name(part, right).orElse("");
		if (one.isEmpty() || other.isEmpty()) {
			return;
		}
		boolean turn = one.compareTo(other) > 0;
		int orders = switch ((turn) ? TURNED.getOrDefault(sign, sign) : sign) {
			case "_<_" -> 1;
			case "_==_" -> 2;
			case "_<=_" -> 3;
			case "_>_" -> 4;
			case "_!=_" -> 5;
			default -> 6;
		};
		this.orders.merge((turn) ? List.of(other, one) : List.of(one, other), (one.equals(other)) ? orders & 2 : orders,
				(before, more) -> before & more);
	}

	private void addText(Ways.Part part, CelExpr.CelCall call) {
		if (call.target().isEmpty() || call.args().size() != 1
				|| !(CelSource.constant(part.resolved(call.args().get(0))) instanceof String written)
				|| !PlainTexts.isPlain(written)) {
			return;
		}
		valuesOf(part, call.target().get()).ifPresent((values) -> {
			if (OF_TEXTS.contains(call.function())) {
				values.has(call.function(), written, part.negated());
			}
			else if (call.function().equals("matches")) {
				com.google.re2j.Pattern pattern = com.google.re2j.Pattern.compile(written);
				values.matching((text) -> pattern.matcher(text).find() != part.negated());
				if (part.negated() && WrittenPatterns.isInEachText(written)) {
					values.oneOf(List.of());
				}
			}
		});
	}

	private Optional<PossibleValues> valuesOf(Ways.Part part, CelExpr expression) {
		List<String> functions = new ArrayList<>();
		CelExpr operand = part.resolved(expression);
		while (operand.getKind() == Kind.CALL && OF_ONE.contains(operand.call().function())
				&& operands(operand.call()).count() == 1) {
			functions.add(0, operand.call().function());
			operand = part.resolved(operands(operand.call()).findFirst().orElseThrow());
		}
		return name(part, operand).map((name) -> this.values.computeIfAbsent(name, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(functions, (key) -> {
				PossibleValues values = new PossibleValues();
				if (!functions.isEmpty() && functions.get(functions.size() - 1).equals("size")) {
					values.compare("_>=_", BigDecimal.ZERO);
				}
				List<Integer> range = rangeOf(key, name);
				if (range != null) {
					values.compare("_>=_", BigDecimal.valueOf(range.get(0)));
					values.compare("_<=_", BigDecimal.valueOf(range.get(1)));
				}
				return values;
			}));
	}

	/** That of a duration may be larger. */
	private static @Nullable List<Integer> rangeOf(List<String> functions, String name) {
		int end = name.indexOf('(');
		boolean isOfTime = functions.isEmpty() && end > 0
				&& (name.startsWith("now", end + 1) || name.startsWith("timestamp(", end + 1));
		return (isOfTime) ? CelTranslation.RANGES.get(name.substring(0, end)) : null;
	}

	/**
	 * Equal ones are equal; {@code null} if it is not known: also null itself, a list, a
	 * time or a duration.
	 */
	private static @Nullable Object constant(Ways.Part whole, CelExpr written) {
		CelExpr part = whole.resolved(written);
		if (part.getKind() == Kind.LIST) {
			return constants(whole, part);
		}
		if (part.getKind() == Kind.CALL && OF_TIMES.contains(part.call().function()) && part.call().args().size() == 1
				&& CelSource.constant(part.call().args().get(0)) instanceof String text) {
			Object time = new Functions.OfOne(part.call().function(), new Expression.Constant(text), "")
				.value(Scope.beforeCalls());
			return (time instanceof Failure) ? null : time;
		}
		boolean isNull = part.getKind() == Kind.CONSTANT && part.constant().getKind() == CelConstant.Kind.NULL_VALUE;
		return (isNull) ? NULL : CelSource.constant(part);
	}

	private static @Nullable List<Object> constants(Ways.Part part, CelExpr list) {
		if (list.getKind() != Kind.LIST) {
			return null;
		}
		List<Object> all = new ArrayList<>();
		for (CelExpr element : list.list().elements()) {
			Object constant = constant(part, element);
			if (constant == null) {
				return null;
			}
			all.add(constant);
		}
		return all;
	}

	private static Stream<CelExpr> operands(CelExpr.CelCall call) {
		return Stream.concat(call.target().stream(), call.args().stream());
	}

	private static Optional<String> name(Ways.Part whole, CelExpr expression) {
		CelExpr part = whole.resolved(expression);
		return switch (part.getKind()) {
			case IDENT -> Optional.of(part.ident().name());
			case SELECT -> name(whole, part.select().operand())
				.map((operand) -> ((part.select().testOnly()) ? "has " : "") + operand + "." + part.select().field());
			case CONSTANT -> Optional.of(part.constant().toString());
			case CALL -> {
				String field = fieldOf(whole, part.call());
				if (field != null) {
					yield name(whole, part.call().args().get(0)).map((operand) -> operand + "." + field);
				}
				List<Optional<String>> names = operands(part.call()).map((each) -> name(whole, each)).toList();
				yield (names.stream().allMatch(Optional::isPresent)) ? Optional.of(names.stream()
					.map(Optional::orElseThrow)
					.collect(Collectors.joining(",", part.call().function() + "(", ")"))) : Optional.empty();
			}
			default -> Optional.empty();
		};
	}

	/** In an access such as {@code args['name']} that could be written with a dot. */
	private static @Nullable String fieldOf(Ways.Part whole, CelExpr.CelCall call) {
		return (call.function().equals("_[_]")
				&& CelSource.constant(whole.resolved(call.args().get(1))) instanceof String key
				&& key.matches("[A-Za-z_]\\w*")) ? key : null;
	}

}
