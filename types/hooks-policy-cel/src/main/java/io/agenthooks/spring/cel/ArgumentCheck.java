package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.spring.scope.ArgumentsInConditions.Found;

/**
 * Finds what a condition says of arguments that they never are: names that no tool has,
 * values of another type, or that an enum does not have.
 */
final class ArgumentCheck {

	private static final Set<Values.Kind> ORDERED = EnumSet.of(Values.Kind.TEXT, Values.Kind.NUMBER,
			Values.Kind.BOOLEAN, Values.Kind.TIME, Values.Kind.DURATION);

	private static final Set<Values.Kind> SIZED = EnumSet.of(Values.Kind.TEXT, Values.Kind.LIST, Values.Kind.MAP);

	private static final Set<Values.Kind> CONTAINERS = EnumSet.of(Values.Kind.LIST, Values.Kind.MAP);

	private static final Set<Values.Kind> TEXT = EnumSet.of(Values.Kind.TEXT);

	private static final Set<Values.Kind> BOOLEAN = EnumSet.of(Values.Kind.BOOLEAN);

	private static final Set<Values.Kind> COUNTED = EnumSet.of(Values.Kind.NUMBER, Values.Kind.TIME,
			Values.Kind.DURATION);

	/** To which functions of one value can be applied. */
	private static final Map<String, Set<Values.Kind>> OPERANDS = Map.ofEntries(Map.entry("size", SIZED),
			Map.entry("lowerAscii", TEXT), Map.entry("upperAscii", TEXT), Map.entry("trim", TEXT),
			Map.entry("int", EnumSet.of(Values.Kind.NUMBER, Values.Kind.TEXT, Values.Kind.TIME)),
			Map.entry("double", EnumSet.of(Values.Kind.NUMBER, Values.Kind.TEXT)),
			Map.entry("string",
					EnumSet.of(Values.Kind.NUMBER, Values.Kind.TEXT, Values.Kind.BOOLEAN, Values.Kind.TIME)),
			Map.entry("bool", EnumSet.of(Values.Kind.BOOLEAN, Values.Kind.TEXT)),
			Map.entry("timestamp", EnumSet.of(Values.Kind.TEXT, Values.Kind.TIME)),
			Map.entry("duration", EnumSet.of(Values.Kind.TEXT, Values.Kind.DURATION)), Map.entry("mails", SIZED),
			Map.entry("url", TEXT), Map.entry("path", TEXT), Map.entry("words", SIZED),
			Map.entry("money", EnumSet.of(Values.Kind.TEXT, Values.Kind.NUMBER)));

	private final CelSource source;

	private final List<String> path;

	private final ArgumentType arguments;

	private final Map<String, ArgumentWords.Local> locals = new HashMap<>();

	private final ArgumentWords words = new ArgumentWords(this.locals);

	private final List<Found> found = new ArrayList<>();

	private ArgumentCheck(CelSource source, List<String> path, ArgumentType arguments) {
		this.source = source;
		this.path = path;
		this.arguments = arguments;
	}

	static List<Found> find(CelSource source, List<String> path, ArgumentType arguments) {
		ArgumentCheck check = new ArgumentCheck(source, path, arguments);
		check.require(source.tree().getExpr(), BOOLEAN, "taken for true or false");
		return check.found;
	}

	static List<Found> findInValue(CelSource source, List<String> path, ArgumentType arguments) {
		ArgumentCheck check = new ArgumentCheck(source, path, arguments);
		check.typeOf(source.tree().getExpr());
		return check.found;
	}

	private ArgumentType typeOf(CelExpr part) {
		return switch (part.getKind()) {
			case CONSTANT -> ArgumentType.ofWritten(CelSource.constant(part));
			case IDENT -> ident(part);
			case SELECT -> select(part);
			case LIST -> list(part);
			case CALL -> call(part);
			case COMPREHENSION -> loop(part);
			default -> ArgumentType.ANY;
		};
	}

	private ArgumentType ident(CelExpr part) {
		String name = part.ident().name();
		ArgumentWords.Local local = this.locals.get(name);
		if (local != null) {
			return local.type();
		}
		return (name.equals(CelTranslation.ARGUMENTS)) ? this.arguments : known(part);
	}

	private ArgumentType known(CelExpr part) {
		return this.source.tree().getType(part.id()).map(ArgumentType::of).orElse(ArgumentType.ANY);
	}

	private ArgumentType select(CelExpr part) {
		CelExpr.CelSelect select = part.select();
		ArgumentType operand = typeOf(select.operand());
		if (this.words.label(select.operand()) == null) {
			return known(part);
		}
		ArgumentType member = member(select.operand(), operand, select.field(), this.source.positionOfField(part));
		return (select.testOnly()) ? ArgumentType.of(Values.Kind.BOOLEAN) : member;
	}

	private ArgumentType member(CelExpr operand, ArgumentType type, String name, int position) {
		if (!type.isAnyOf(EnumSet.of(Values.Kind.MAP))) {
			add(position,
					"Here, the field '%s' of %s is read, but it has none: it is %s.".formatted(SafeText.name(name),
							this.words.named(operand), type.inWords()),
					"Compare %s itself%s.".formatted(this.words.named(operand),
							(type.is(Values.Kind.LIST)) ? ", or its elements, as in %s.exists(x, x.%s == ...)"
								.formatted(this.words.named(operand), SafeText.name(name)) : ""));
			return ArgumentType.ANY;
		}
		ArgumentType member = type.member(name);
		if (member == null) {
			String argument = this.words.named(operand) + "." + SafeText.name(name);
			add(position,
					"The condition reads %s, and no tool that the rule is for has this argument.".formatted(argument),
					Spelling.meant(name, type.members().keySet()));
			return ArgumentType.ANY;
		}
		return member;
	}

	private ArgumentType list(CelExpr part) {
		return part.list()
			.elements()
			.stream()
			.map(this::typeOf)
			.reduce(ArgumentType::or)
			.map(ArgumentType::listOf)
			.orElse(ArgumentType.ANY);
	}

	private ArgumentType loop(CelExpr part) {
		CelExpr.CelComprehension loop = part.comprehension();
		CelExpr range = loop.iterRange();
		ArgumentType type = require(range, CONTAINERS, "searched as a list");
		ArgumentType elements = (type.elements() != null) ? type.elements()
				: (type.kinds().equals(Set.of(Values.Kind.MAP))) ? ArgumentType.of(Values.Kind.TEXT) : ArgumentType.ANY;
		String label = this.words.label(range);
		Map<String, ArgumentWords.Local> before = Map.copyOf(this.locals);
		this.locals.put(loop.accuVar(), new ArgumentWords.Local(ArgumentType.ANY, null));
		this.locals.put(loop.iterVar(),
				new ArgumentWords.Local(elements, (label != null) ? "an element of " + label : null));
		typeOf(loop.loopStep());
		this.locals.clear();
		this.locals.putAll(before);
		return known(part);
	}

	private ArgumentType call(CelExpr part) {
		CelExpr.CelCall call = part.call();
		List<CelExpr> parts = new ArrayList<>();
		call.target().ifPresent(parts::add);
		parts.addAll(call.args());
		switch (call.function()) {
			case "_&&_", "_||_", "!_" -> parts.forEach((each) -> require(each, BOOLEAN, "taken for true or false"));
			case "_==_", "_!=_" -> compare(parts.get(0), parts.get(1), false);
			case "_<_", "_<=_", "_>_", "_>=_" -> compare(parts.get(0), parts.get(1), true);
			case "@in" -> in(parts.get(0), parts.get(1));
			case "_[_]" -> {
				return element(parts.get(0), parts.get(1));
			}
			case "_?_:_" -> {
				require(parts.get(0), BOOLEAN, "taken for true or false");
				return typeOf(parts.get(1)).or(typeOf(parts.get(2)));
			}
			case "_+_" -> {
				ArgumentType left = typeOf(parts.get(0));
				ArgumentType right = typeOf(parts.get(1));
				if (!left.isAnyOf(COUNTED) || !right.isAnyOf(COUNTED)) {
					match(parts.get(0), left, parts.get(1), right, "added to");
				}
				return known(part);
			}
			case "_-_", "_*_", "_/_", "_%_", "-_" -> {
				parts.forEach((each) -> require(each, COUNTED, "taken for a number"));
				return known(part);
			}
			case "contains", "startsWith", "endsWith", "matches" -> ofTexts(call.function(), parts);
			case "dyn" -> {
				return typeOf(parts.get(0));
			}
			default -> {
				return function(part, call.function(), parts);
			}
		}
		return ArgumentType.of(Values.Kind.BOOLEAN);
	}

	private ArgumentType function(CelExpr part, String function, List<CelExpr> parts) {
		Set<Values.Kind> operands = (Functions.isOfTimes(function)) ? EnumSet.of(Values.Kind.TIME, Values.Kind.DURATION)
				: OPERANDS.get(function);
		ArgumentType type = ArgumentType.ANY;
		for (int i = 0; i < parts.size(); i++) {
			type = (i == 0 && operands != null) ? require(parts.get(0), operands, "given to %s()".formatted(function))
					: typeOf(parts.get(i));
		}
		// What is no text fails in the function.
		List<String> texts = (type.values() != null)
				? type.values().stream().filter(String.class::isInstance).map(String.class::cast).toList() : List.of();
		if (texts.isEmpty() || !TEXT.equals(OPERANDS.get(function)) || !Functions.isOfOne(function)
				|| parts.size() != 1) {
			return known(part);
		}
		return new ArgumentType(TEXT, Map.of(), true, null,
				texts.stream().map((text) -> changed(function, text)).collect(Collectors.toSet()), type.declared());
	}

	private static Object changed(String function, String text) {
		return Objects.requireNonNull(
				new Functions.OfOne(function, new Expression.Constant(text), "").value(Scope.beforeCalls()));
	}

	private ArgumentType element(CelExpr container, CelExpr key) {
		ArgumentType type = typeOf(container);
		typeOf(key);
		Object written = CelSource.constant(key);
		if (this.words.label(container) == null || written == null) {
			return ArgumentType.ANY;
		}
		if (written instanceof String name) {
			return member(container, type, name, this.source.startOf(key));
		}
		if (!type.isAnyOf(CONTAINERS)) {
			add(this.source.startOf(container), "Here, an element of %s is read, but it has none: it is %s."
				.formatted(this.words.named(container), type.inWords()), "Compare it itself.");
		}
		return Objects.requireNonNullElse(type.elements(), ArgumentType.ANY);
	}

	private void in(CelExpr part, CelExpr container) {
		ArgumentType type = typeOf(container);
		if (CelTranslation.ARGUMENTS.equals(this.words.label(container))
				&& CelSource.constant(part) instanceof String name) {
			member(container, type, name, this.source.startOf(part));
			return;
		}
		ArgumentType one = typeOf(part);
		if (!type.isAnyOf(CONTAINERS)) {
			misuse(container, type, "searched as a list",
					(type.is(Values.Kind.TEXT)) ? "Write %s.contains(...)".formatted(this.words.named(container))
							: "Write %s == ...".formatted(this.words.named(container)));
			return;
		}
		if (container.getKind() == Kind.LIST) {
			List<CelExpr> elements = container.list().elements();
			if (type.elements() == null || match(part, one, elements.get(0), type.elements(), "compared with")) {
				elements.forEach((each) -> checkValue(part, one, each));
			}
		}
		else if (type.elements() != null && type.kinds().equals(Set.of(Values.Kind.LIST))) {
			if (match(part, one, container, type.elements(), "compared with")) {
				checkValue(container, type.elements(), part);
			}
		}
	}

	private void compare(CelExpr left, CelExpr right, boolean ordered) {
		ArgumentType one = typeOf(left);
		ArgumentType other = typeOf(right);
		if (ordered && (!one.isAnyOf(ORDERED) || !other.isAnyOf(ORDERED))) {
			boolean first = !one.isAnyOf(ORDERED);
			misuse((first) ? left : right, (first) ? one : other, "compared with '<' or '>'",
					"Compare its size() or one of its parts");
		}
		else if (match(left, one, right, other, "compared with") && !ordered) {
			checkValue(left, one, right);
			checkValue(right, other, left);
		}
	}

	private boolean match(CelExpr left, ArgumentType one, CelExpr right, ArgumentType other, String how) {
		if (one.isAnyOf(other.kinds())) {
			return true;
		}
		boolean turned = one.declared().isEmpty();
		CelExpr part = (turned) ? right : left;
		ArgumentType type = (turned) ? other : one;
		ArgumentType with = (turned) ? one : other;
		misuse(part, type, "%s %s".formatted(how, kindOf(with)), (with.declared().isEmpty())
				? this.words.instead(part, type, (turned) ? left : right, with) : "Compare values of the same type");
		return false;
	}

	private static String kindOf(ArgumentType type) {
		return (type.kinds().size() == 1) ? type.kinds().iterator().next().toString() : "something else";
	}

	/** It is passed by what stands around such a text. */
	private void warnOfText(String function, CelExpr part, @Nullable Object written, ArgumentType type) {
		String instead = SafeForms.instead(function, written, this.words.label(part), type.format());
		if (instead != null) {
			this.found.add(new Found(this.path, this.source.text(), this.source.startOf(part),
					"Here, %s() looks at the text of %s, and is passed by what stands around the text."
						.formatted(function, this.words.named(part)),
					instead, true));
		}
	}

	private void ofTexts(String function, List<CelExpr> parts) {
		CelExpr part = parts.get(0);
		ArgumentType type = typeOf(part);
		parts.stream().skip(1).forEach((each) -> require(each, TEXT, "taken for a text"));
		if (!type.isAnyOf(TEXT)) {
			misuse(part, type, "given to %s()".formatted(function), (type.is(Values.Kind.LIST))
					? (function.equals("contains")) ? "Write '... in %s'".formatted(this.words.named(part))
							: "Write %s.exists(x, x.%s(...))".formatted(this.words.named(part), function)
					: (type.is(Values.Kind.NUMBER))
							? "Compare the number, or write string(%s)".formatted(this.words.named(part))
							: (type.is(Values.Kind.MAP)) ? "Write one of its fields" : "Write it without a function");
			return;
		}
		Set<Object> values = type.values();
		Object written = (parts.size() == 2) ? CelSource.constant(parts.get(1)) : null;
		if (values == null) {
			warnOfText(function, part, written, type);
		}
		if (values == null || !(written instanceof String text) || type.declared().isEmpty()) {
			return;
		}
		Predicate<String> holds = switch (function) {
			case "contains" -> (value) -> value.contains(text);
			case "startsWith" -> (value) -> value.startsWith(text);
			case "endsWith" -> (value) -> value.endsWith(text);
			default -> (value) -> com.google.re2j.Pattern.compile(text).matcher(value).find();
		};
		if (values.stream().noneMatch((value) -> value instanceof String each && holds.test(each))) {
			add(this.source.startOf(parts.get(1)), "Here, %s() never holds of %s, which is %s.".formatted(function,
					this.words.named(part), type.inWords()), Spelling.meant(text, texts(values)));
		}
	}

	private void checkValue(CelExpr part, ArgumentType type, CelExpr compared) {
		Object written = CelSource.constant(compared);
		Set<Object> values = type.values();
		if (written == null || values == null || type.declared().isEmpty() || values.contains(written)
				|| !type.isAnyOf(ArgumentType.ofWritten(written).kinds())) {
			return;
		}
		String value = texts(Set.of(written)).get(0);
		add(this.source.startOf(compared),
				"Here, %s is compared with '%s', which it never is: it is %s.".formatted(this.words.named(part),
						SafeText.name(value), type.inWords()),
				(written instanceof String) ? Spelling.meant(value, texts(values))
						: "Known are " + String.join(", ", texts(values)));
	}

	private static List<String> texts(Collection<Object> values) {
		return values.stream()
			.map((value) -> (value instanceof BigDecimal number) ? number.toPlainString() : value.toString())
			.toList();
	}

	private ArgumentType require(CelExpr part, Set<Values.Kind> kinds, String how) {
		ArgumentType type = typeOf(part);
		if (type.isAnyOf(kinds)) {
			return type;
		}
		boolean time = kinds.contains(Values.Kind.TIME) && type.is(Values.Kind.TEXT);
		misuse(part, type, how,
				(kinds.equals(BOOLEAN)) ? "Write a comparison, such as %s == ...".formatted(this.words.named(part))
						: (time && !kinds.contains(Values.Kind.NUMBER))
								? "Write timestamp(%s)".formatted(this.words.named(part))
								: (kinds.contains(Values.Kind.NUMBER) && type.is(Values.Kind.TEXT))
										? "Write double(%s)".formatted(this.words.named(part))
										: "Compare it as what it is");
		return ArgumentType.ANY;
	}

	private void misuse(CelExpr part, ArgumentType type, String how, String action) {
		if (!type.declared().isEmpty()) {
			add(this.source.startOf(part),
					"Here, %s is %s, but it is %s.".formatted(this.words.named(part), how, type.inWords()),
					action + ".");
		}
	}

	private void add(int position, String message, String action) {
		Found each = new Found(this.path, this.source.text(), position, message, action);
		if (!this.found.contains(each)) {
			this.found.add(each);
		}
	}

}
