package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.text.Normalizer;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.pattern.LiteralCharacters;
import io.agenthooks.pattern.UnusablePatternException;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.toolcall.ToolNames;

/**
 * Makes our expression of what the library has read of one condition.
 */
final class CelTranslation {

	static final String ARGUMENTS = "args";

	/** These hold what a model or a person wrote. */
	private static final Set<String> TEXTS = Set.of(ARGUMENTS, "messages", "prompt");

	/** They change a text, but not whom it names. */
	private static final Set<String> OF_CASE = Set.of("lowerAscii", "upperAscii", "trim");

	private static final int MAX_PATTERN = 2_000;

	/** For each part of what is in the loop. */
	private static final int LOOP_PART = 6;

	private static final Map<String, Comparison.Operator> COMPARISONS = Map.of("_==_", Comparison.Operator.EQUAL,
			"_!=_", Comparison.Operator.UNEQUAL, "_<_", Comparison.Operator.LESS, "_<=_",
			Comparison.Operator.LESS_OR_EQUAL, "_>_", Comparison.Operator.GREATER, "_>=_",
			Comparison.Operator.GREATER_OR_EQUAL, "@in", Comparison.Operator.IN);

	private static final Map<String, Arithmetic.Operator> ARITHMETIC = Map.of("_+_", Arithmetic.Operator.ADD, "_-_",
			Arithmetic.Operator.SUBTRACT, "_*_", Arithmetic.Operator.MULTIPLY, "_/_", Arithmetic.Operator.DIVIDE, "_%_",
			Arithmetic.Operator.REMAINDER);

	/** The least and the greatest of a part of a time. */
	static final Map<String, List<Integer>> RANGES = Map.of("getMonth", List.of(0, 11), "getDayOfWeek", List.of(0, 6),
			"getDayOfMonth", List.of(0, 30), "getDate", List.of(1, 31), "getDayOfYear", List.of(0, 365), "getHours",
			List.of(0, 23), "getMinutes", List.of(0, 59), "getSeconds", List.of(0, 59), "getMilliseconds",
			List.of(0, 999));

	private final CelSource source;

	private final CelAbstractSyntaxTree tree;

	private final CelVariables variables;

	private final Map<String, Integer> locals = new HashMap<>();

	/** The fields whose elements the variables of loops stand for. */
	private final Map<String, ComparedNames.Field> ranges = new HashMap<>();

	/** For which the variables of loops stand. */
	private final Map<String, List<?>> written = new HashMap<>();

	private final ComparedNames names = new ComparedNames();

	private int slots;

	/** Translated so far. */
	private int parts;

	private boolean readsArguments;

	private final Set<String> argumentNames = new LinkedHashSet<>();

	private boolean readsTexts;

	private boolean unusual;

	CelTranslation(String text, CelAbstractSyntaxTree tree, CelVariables variables) {
		this.source = new CelSource(text, tree);
		this.tree = tree;
		this.variables = variables;
	}

	Condition condition() {
		Expression expression = translate(this.tree.getExpr());
		return new Condition(expression, this.slots, this.source, this.readsArguments, List.copyOf(this.argumentNames),
				this.readsTexts, this.unusual, this.names.names());
	}

	private Expression translate(CelExpr part) {
		this.parts++;
		return switch (part.getKind()) {
			case CONSTANT -> new Expression.Constant(constant(part));
			case IDENT -> variable(part, part.ident().name());
			case SELECT -> select(part);
			case CALL -> call(part);
			case LIST -> list(part);
			case MAP -> map(part);
			case COMPREHENSION -> loop(part);
			case STRUCT, NOT_SET -> throw this.source.mistake(part, "Objects cannot be made in rules", "Leave it out.");
		};
	}

	private @Nullable Object constant(CelExpr part) {
		CelConstant constant = part.constant();
		return switch (constant.getKind()) {
			case NULL_VALUE -> null;
			case BOOLEAN_VALUE -> constant.booleanValue();
			case INT64_VALUE -> constant.int64Value();
			case UINT64_VALUE -> new BigDecimal(constant.uint64Value().bigIntegerValue());
			case DOUBLE_VALUE -> this.source.decimal(part, constant.doubleValue());
			case STRING_VALUE -> {
				this.unusual |= PlainTexts.isUnusual(constant.stringValue());
				yield constant.stringValue();
			}
			default -> throw this.source.mistake(part, "Bytes are not available in rules", "Write a text.");
		};
	}

	private Expression variable(CelExpr part, String name) {
		Integer slot = this.locals.get(name);
		if (slot != null) {
			return new Access.Local(slot);
		}
		CelVariables.Variable variable = this.variables.variables().get(name);
		if (variable == null) {
			throw this.source.mistake(part, "The name '%s' is not available in rules".formatted(SafeText.name(name)),
					"Leave it out.");
		}
		this.readsArguments |= name.equals(ARGUMENTS);
		this.readsTexts |= TEXTS.contains(name);
		return known(part, variable, name);
	}

	private Expression known(CelExpr part, CelVariables.Variable variable, String label) {
		if (variable.value() == null) {
			throw this.source.mistake(part, "The variable '%s' is not a value".formatted(label),
					"Write one of its fields: "
							+ variable.fields().keySet().stream().map((field) -> label + "." + field).toList() + ".");
		}
		return new Access.Known(variable.value(), new Failure("'%s' is not known".formatted(label)));
	}

	private CelVariables.@Nullable Variable named(CelExpr part) {
		if (part.getKind() == CelExpr.ExprKind.Kind.IDENT && !this.locals.containsKey(part.ident().name())) {
			return this.variables.variables().get(part.ident().name());
		}
		CelVariables.Variable parent = (part.getKind() == CelExpr.ExprKind.Kind.SELECT) ? named(part.select().operand())
				: null;
		return (parent != null) ? parent.fields().get(part.select().field()) : null;
	}

	private Expression select(CelExpr part) {
		CelExpr.CelSelect select = part.select();
		CelVariables.Variable parent = named(select.operand());
		CelVariables.Variable variable = (parent != null) ? parent.fields().get(select.field()) : null;
		if (variable != null) {
			if (select.testOnly() && variable.value() != null) {
				return new Access.IsKnown(variable.value());
			}
			return known(part, variable, this.source.label(part));
		}
		this.names.member(field(select.operand()), select.field());
		rememberArgument(select.operand(), select.field());
		return new Access.Member(translate(select.operand()), select.field(), this.source.quoted(part),
				this.source.quoted(select.operand()), select.testOnly());
	}

	private void rememberArgument(CelExpr container, @Nullable Object name) {
		if (name instanceof String argument && container.getKind() == CelExpr.ExprKind.Kind.IDENT
				&& container.ident().name().equals(ARGUMENTS) && !this.locals.containsKey(ARGUMENTS)) {
			this.argumentNames.add(argument);
		}
	}

	/**
	 * A field of a variable, such as {@code user.name}, or whose elements a loop goes
	 * through.
	 */
	private ComparedNames.@Nullable Field field(CelExpr part) {
		if (part.getKind() == CelExpr.ExprKind.Kind.IDENT && this.ranges.containsKey(part.ident().name())) {
			return this.ranges.get(part.ident().name());
		}
		if (part.getKind() == CelExpr.ExprKind.Kind.CALL && part.call().target().isPresent()
				&& OF_CASE.contains(part.call().function())) {
			ComparedNames.Field field = field(part.call().target().get());
			return (field != null) ? new ComparedNames.Field(field.path(), true) : null;
		}
		return (named(part) != null) ? new ComparedNames.Field(this.source.label(part), false) : null;
	}

	private @Nullable Object written(CelExpr part, Expression translated) {
		if (part.getKind() == CelExpr.ExprKind.Kind.IDENT && this.written.containsKey(part.ident().name())) {
			return this.written.get(part.ident().name());
		}
		return (translated.isConstant()) ? translated.value(Scope.beforeCalls()) : null;
	}

	private Expression list(CelExpr part) {
		Expression[] elements = part.list().elements().stream().map(this::translate).toArray(Expression[]::new);
		return folded(part, new Collecting.Elements(List.of(elements)), elements);
	}

	private Expression map(CelExpr part) {
		List<Expression> keys = new ArrayList<>();
		List<Expression> values = new ArrayList<>();
		for (CelExpr.CelMap.Entry entry : part.map().entries()) {
			keys.add(translate(entry.key()));
			values.add(translate(entry.value()));
		}
		return new Collecting.Members(keys, values);
	}

	private Expression loop(CelExpr part) {
		CelExpr.CelComprehension loop = part.comprehension();
		if (!loop.iterVar2().isEmpty()) {
			throw this.source.mistake(part, "Loops have one variable in rules", "Write one.");
		}
		Expression range = translate(loop.iterRange());
		Expression start = translate(loop.accuInit());
		int variable = this.slots++;
		int collected = this.slots++;
		Integer hiddenVariable = this.locals.put(loop.iterVar(), variable);
		Integer hiddenCollected = this.locals.put(loop.accuVar(), collected);
		ComparedNames.Field field = field(loop.iterRange());
		ComparedNames.Field hiddenField = (field != null) ? this.ranges.put(loop.iterVar(), field)
				: this.ranges.remove(loop.iterVar());
		List<?> hiddenTexts = (range.isConstant() && range.value(Scope.beforeCalls()) instanceof List<?> texts)
				? this.written.put(loop.iterVar(), texts) : this.written.remove(loop.iterVar());
		int before = this.parts;
		Expression condition = translate(loop.loopCondition());
		Expression step = translate(loop.loopStep());
		int stepCost = LOOP_PART * (1 + this.parts - before);
		this.locals.remove(loop.iterVar());
		this.ranges.remove(loop.iterVar());
		this.written.remove(loop.iterVar());
		Expression result = translate(loop.result());
		this.locals.remove(loop.accuVar());
		if (hiddenVariable != null) {
			this.locals.put(loop.iterVar(), hiddenVariable);
		}
		if (hiddenField != null) {
			this.ranges.put(loop.iterVar(), hiddenField);
		}
		if (hiddenTexts != null) {
			this.written.put(loop.iterVar(), hiddenTexts);
		}
		if (hiddenCollected != null) {
			this.locals.put(loop.accuVar(), hiddenCollected);
		}
		boolean collects = loop.accuInit().getKind() == CelExpr.ExprKind.Kind.LIST;
		return new Collecting.Loop(range, variable, collected, (collects) ? null : start, condition, step, result,
				this.source.quoted(loop.iterRange()), stepCost);
	}

	private Expression call(CelExpr part) {
		CelExpr.CelCall call = part.call();
		List<CelExpr> parts = new ArrayList<>();
		call.target().ifPresent(parts::add);
		parts.addAll(call.args());
		String function = call.function();
		Comparison.Operator comparison = COMPARISONS.get(function);
		if (comparison != null) {
			return comparison(part, comparison, parts.get(0), parts.get(1));
		}
		Arithmetic.Operator operator = ARITHMETIC.get(function);
		if (operator != null) {
			return arithmetic(part, operator, parts);
		}
		return switch (function) {
			case "_&&_" -> junction(true, parts);
			case "_||_" -> junction(false, parts);
			case "!_" -> negation(part, parts.get(0));
			case "-_" -> minus(part, parts.get(0));
			case "_?_:_" -> choice(parts);
			case "@not_strictly_false" -> new Logic.NotFalse(translate(parts.get(0)));
			case "_[_]" -> element(part, parts);
			case "matches" -> matches(parts);
			default -> function(part, function, parts);
		};
	}

	private Expression comparison(CelExpr part, Comparison.Operator operator, CelExpr left, CelExpr right) {
		Expression one = translate(left);
		Expression other = translate(right);
		String label = this.source.quoted((one.isConstant()) ? right : left);
		rememberNames(operator, left, one, right, other);
		if (operator == Comparison.Operator.IN) {
			rememberArgument(right, (one.isConstant()) ? one.value(Scope.beforeCalls()) : null);
			if (other.isConstant() && other.value(Scope.beforeCalls()) instanceof List<?> list && list.isEmpty()) {
				return new Expression.Constant(false);
			}
		}
		checkRange(left, other);
		checkRange(right, one);
		return folded(part, new Comparison(operator, one, other, label), one, other);
	}

	/** Whichever side it is on. */
	private void rememberNames(Comparison.Operator operator, CelExpr left, Expression one, CelExpr right,
			Expression other) {
		if (operator == Comparison.Operator.EQUAL || operator == Comparison.Operator.UNEQUAL
				|| operator == Comparison.Operator.IN) {
			note(right, left, written(left, one));
			note(left, right, written(right, other));
		}
	}

	private void note(CelExpr named, CelExpr part, @Nullable Object value) {
		this.names.compared(field(named), value);
		OutcomeWords.check(this.source, field(named), part, value);
		WrittenThings.checkRoles(this.source, field(named), part, value);
	}

	/** No time has the day 7 of the week: such a rule would never match, or always. */
	private void checkRange(CelExpr part, Expression compared) {
		if (!compared.isConstant()) {
			return;
		}
		ThingFields.check(this.source, part, compared.value(Scope.beforeCalls()));
		List<Integer> range = rangeOf(part);
		if (range == null) {
			return;
		}
		Object value = compared.value(Scope.beforeCalls());
		for (Object each : (value instanceof List<?> list) ? list : Collections.singletonList(value)) {
			if (each instanceof Number number
					&& (number.doubleValue() < range.get(0) || number.doubleValue() > range.get(1))) {
				throw this.source.mistake(part,
						"The result of %s() is never %s".formatted(part.call().function(), number),
						"It is from %d to %d.".formatted(range.get(0), range.get(1)));
			}
		}
	}

	private @Nullable List<Integer> rangeOf(CelExpr part) {
		boolean isOfTime = part.getKind() == CelExpr.ExprKind.Kind.CALL && part.call().target().isPresent()
				&& this.tree.getType(part.call().target().get().id()).orElseThrow().kind() == CelKind.TIMESTAMP;
		return (isOfTime) ? RANGES.get(part.call().function()) : null;
	}

	private Expression arithmetic(CelExpr part, Arithmetic.Operator operator, List<CelExpr> parts) {
		if (operator == Arithmetic.Operator.DIVIDE || operator == Arithmetic.Operator.REMAINDER) {
			for (CelExpr each : parts) {
				CelKind kind = this.tree.getType(each.id()).orElseThrow().kind();
				if (kind != CelKind.INT && kind != CelKind.UINT) {
					throw this.source.mistake(part, "Only whole numbers can be divided without rounding",
							"Multiply the other side instead, or write int(...) around what is a whole number.");
				}
			}
		}
		Expression one = translate(parts.get(0));
		Expression other = translate(parts.get(1));
		return folded(part, new Arithmetic(operator, one, other,
				this.source.quoted((one.isConstant()) ? parts.get(1) : parts.get(0))), one, other);
	}

	/** One constant part may settle it. */
	private Expression junction(boolean and, List<CelExpr> parts) {
		Expression left = translate(parts.get(0));
		Expression right = translate(parts.get(1));
		Boolean truth = truth(left);
		if (truth != null) {
			return (truth != and) ? left : right;
		}
		truth = truth(right);
		if (truth != null) {
			return (truth != and) ? right : left;
		}
		return new Logic.Junction(!and, left, right, this.source.quoted(parts.get(0)),
				this.source.quoted(parts.get(1)));
	}

	private static @Nullable Boolean truth(Expression part) {
		return (part.isConstant() && part.value(Scope.beforeCalls()) instanceof Boolean truth) ? truth : null;
	}

	private Expression negation(CelExpr part, CelExpr operand) {
		Expression translated = translate(operand);
		return folded(part, new Logic.Negation(translated, this.source.quoted(operand)), translated);
	}

	private Expression minus(CelExpr part, CelExpr operand) {
		Expression translated = translate(operand);
		return folded(part, new Arithmetic(Arithmetic.Operator.SUBTRACT, new Expression.Constant(0L), translated,
				this.source.quoted(operand)), translated);
	}

	private Expression choice(List<CelExpr> parts) {
		Expression condition = translate(parts.get(0));
		Expression one = translate(parts.get(1));
		Expression other = translate(parts.get(2));
		if (condition.isConstant() && condition.value(Scope.beforeCalls()) instanceof Boolean truth) {
			return (truth) ? one : other;
		}
		return new Logic.Choice(condition, one, other, this.source.quoted(parts.get(0)));
	}

	private Expression element(CelExpr part, List<CelExpr> parts) {
		Expression container = translate(parts.get(0));
		Expression key = translate(parts.get(1));
		if (key.isConstant()) {
			this.names.member(field(parts.get(0)), key.value(Scope.beforeCalls()));
			rememberArgument(parts.get(0), key.value(Scope.beforeCalls()));
		}
		return folded(part, new Access.Element(container, key, this.source.quoted(parts.get(0))), container, key);
	}

	private Expression matches(List<CelExpr> parts) {
		Expression pattern = translate(parts.get(1));
		if (!pattern.isConstant() || !(pattern.value(Scope.beforeCalls()) instanceof String regex)) {
			throw this.source.mistake(parts.get(1), "A regular expression cannot come from a call",
					"Write it in the rule.");
		}
		try {
			com.google.re2j.Pattern compiled = com.google.re2j.Pattern.compile(regex);
			if (compiled.programSize() > MAX_PATTERN) {
				throw this.source.mistake(parts.get(1), "The regular expression is too large",
						"Write smaller numbers in braces.");
			}
			WrittenThings.checkRegex(this.source, parts.get(1), regex);
			this.names.searched("matches", field(parts.get(0)), regex);
			return new Functions.Matches(translate(parts.get(0)), compiled, plain(regex, compiled),
					this.source.quoted(parts.get(0)));
		}
		catch (PatternSyntaxException ex) {
			throw this.source.mistake(parts.get(1), "The regular expression cannot be read: " + ex.getDescription(),
					"Write it in the syntax of RE2, which has no look-around and no back-references.");
		}
	}

	private static com.google.re2j.Pattern plain(String regex, com.google.re2j.Pattern compiled) {
		if (!PlainTexts.isUnusual(regex)) {
			return compiled;
		}
		try {
			Set<String> forms = new LinkedHashSet<>();
			for (String form : LiteralCharacters.formsForPlainTexts(regex, ToolNames::isInvisible)) {
				forms.add(form);
				forms.add(Normalizer.normalize(form, Normalizer.Form.NFC));
			}
			return com.google.re2j.Pattern.compile(forms.stream().collect(Collectors.joining(")|(?:", "(?:", ")")));
		}
		catch (UnusablePatternException | PatternSyntaxException ex) {
			// It stays what it is, and finds nothing where the spelling differs.
			return compiled;
		}
	}

	private Expression function(CelExpr part, String function, List<CelExpr> parts) {
		if (ThingFunctions.isOfOne(function) && parts.size() == 1) {
			Expression operand = translate(parts.get(0));
			return folded(part, new ThingFunctions.OfOne(function, operand, this.source.quoted(parts.get(0))), operand);
		}
		if (function.equals("path")) {
			Expression base = (parts.size() > 1) ? translate(parts.get(1)) : null;
			WrittenThings.checkFolder(this.source, (parts.size() > 1) ? parts.get(1) : part, base);
			return new ThingFunctions.OfPath(translate(parts.get(0)), base,
					(parts.size() > 2) ? translate(parts.get(2)) : null, this.source.quoted(parts.get(0)));
		}
		if (function.equals("under")) {
			Expression above = translate(parts.get(1));
			CelKind kind = this.tree.getType(parts.get(0).id()).orElseThrow().kind();
			if (kind == CelKind.STRUCT) {
				WrittenThings.checkFolder(this.source, parts.get(1), above);
			}
			else if (kind == CelKind.STRING) {
				WrittenThings.checkAbove(this.source, parts.get(1), above);
			}
			else {
				WrittenThings.checkNotFolder(this.source, part, above);
			}
			return new ThingFunctions.Under(translate(parts.get(0)), above, this.source.quoted(parts.get(0)));
		}
		if (WrittenThings.isOfAuthorities(function)) {
			List<String> authorities = WrittenThings.authorities(this.source, function, parts);
			authorities.forEach(
					(authority) -> this.names.compared(new ComparedNames.Field("user.authorities", false), authority));
			return new ThingFunctions.HasAny(authorities);
		}
		if (Functions.isOfOne(function) && parts.size() == 1) {
			Expression operand = translate(parts.get(0));
			return folded(part, new Functions.OfOne(function, operand, this.source.quoted(parts.get(0))), operand);
		}
		if (Functions.isOfTwoTexts(function) && parts.size() == 2) {
			Expression text = translate(parts.get(0));
			Expression other = translate(parts.get(1));
			this.names.searched(function, field(parts.get(0)), written(parts.get(1), other));
			return folded(part, new Functions.OfTwoTexts(function, text, other, this.source.quoted(parts.get(0))), text,
					other);
		}
		if (Functions.isOfTimes(function) && parts.size() <= 2) {
			return new Functions.OfTimes(function, translate(parts.get(0)),
					(parts.size() == 2) ? zone(parts.get(1)) : ZoneOffset.UTC, this.source.quoted(parts.get(0)));
		}
		throw this.source.mistake(part,
				"The function '%s' is not available in rules".formatted(SafeText.name(CelReader.sign(function))),
				"Known are " + String.join(", ", CelReader.FUNCTIONS) + ".");
	}

	private ZoneId zone(CelExpr part) {
		Expression name = translate(part);
		if (!name.isConstant() || !(name.value(Scope.beforeCalls()) instanceof String zone)) {
			throw this.source.mistake(part, "A time zone cannot come from a call", "Write it in the rule.");
		}
		try {
			return Functions.zone(zone);
		}
		catch (DateTimeException ex) {
			throw this.source.mistake(part, "There is no such time zone",
					Spelling.didYouMean(zone, ZoneId.getAvailableZoneIds())
							+ "Write one such as 'Europe/Berlin' or '+02:00'.");
		}
	}

	/** Worked out once, and must not fail, if it is the same for every call. */
	private Expression folded(CelExpr part, Expression made, Expression... parts) {
		for (Expression each : parts) {
			if (!each.isConstant()) {
				return made;
			}
		}
		Object value = made.value(Scope.beforeCalls());
		if (value instanceof Failure failure) {
			throw this.source.mistake(part, "This always fails: " + failure.why(), "Correct the condition.");
		}
		return new Expression.Constant(value);
	}

}
