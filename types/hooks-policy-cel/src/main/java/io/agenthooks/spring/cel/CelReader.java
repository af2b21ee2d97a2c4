package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;

import io.agenthooks.SafeText;
import io.agenthooks.spring.binding.Spelling;

/**
 * The library says what the text means and whether its types fit; what becomes of it is
 * an {@link Expression} of ours, with exact numbers and bounded work.
 */
final class CelReader {

	/** Behind a value and a dot. */
	private static final List<String> MEMBERS = joined(
			List.of("contains", "startsWith", "endsWith", "matches", "all", "exists", "exists_one", "filter", "map",
					"size", "lowerAscii", "upperAscii", "trim", "getFullYear", "getMonth", "getDate", "getDayOfMonth",
					"getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds"),
			ThingTypes.MEMBERS);

	/** Before their values. */
	private static final List<String> GLOBALS = joined(
			List.of("has", "size", "int", "double", "string", "bool", "timestamp", "duration"), ThingTypes.FUNCTIONS);

	static final List<String> FUNCTIONS = joined(GLOBALS, MEMBERS);

	private static final int MAX_LENGTH = 20_000;

	private static final Pattern UNKNOWN = Pattern.compile("undeclared reference to '([^']*)'.*");

	private static final Pattern UNKNOWN_FIELD = Pattern.compile("undefined field '([^']*)'.*");

	private static final Pattern NO_OVERLOAD = Pattern
		.compile("found no matching overload for '([^']*)' applied to '([^']*)'.*", Pattern.DOTALL);

	private static final Map<String, String> OTHER_SIGNS = Map.of("and", "&&", "or", "||", "not", "!", "AND", "&&",
			"OR", "||", "=", "==", "<>", "!=", "===", "==");

	private final CelVariables variables;

	private final CelCompiler compiler;

	CelReader(CelVariables variables) {
		this.variables = variables;
		CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
			.setOptions(CelOptions.current()
				.enableHeterogeneousNumericComparisons(true)
				.maxExpressionCodePointSize(MAX_LENGTH)
				.build())
			.setStandardMacros(CelStandardMacro.STANDARD_MACROS)
			.setTypeProvider(variables)
			.addFunctionDeclarations(ofText("lowerAscii"), ofText("upperAscii"), ofText("trim"), ofNumbers("_+_"),
					ofNumbers("_-_"), ofNumbers("_*_"))
			.addFunctionDeclarations(ThingTypes.functions());
		variables.variables().forEach((name, variable) -> builder.addVar(name, variable.type()));
		this.compiler = builder.build();
	}

	private static List<String> joined(List<String> some, List<String> more) {
		return Stream.concat(some.stream(), more.stream()).distinct().toList();
	}

	private static CelFunctionDecl ofText(String name) {
		return CelFunctionDecl.newFunctionDeclaration(name,
				CelOverloadDecl.newMemberOverload("text_" + name, SimpleType.STRING, SimpleType.STRING));
	}

	/** Numbers are one kind of values, whether they have a fraction or not. */
	private static CelFunctionDecl ofNumbers(String operator) {
		return CelFunctionDecl.newFunctionDeclaration(operator,
				CelOverloadDecl.newGlobalOverload("mixed_int" + operator, SimpleType.DOUBLE, SimpleType.INT,
						SimpleType.DOUBLE),
				CelOverloadDecl.newGlobalOverload("mixed_double" + operator, SimpleType.DOUBLE, SimpleType.DOUBLE,
						SimpleType.INT));
	}

	Condition read(String text) {
		return read(text, true);
	}

	/** Of any type, by whose value calls are counted together. */
	Condition readValue(String text) {
		return read(text, false);
	}

	private Condition read(String text, boolean isCondition) {
		CelValidationResult result;
		try {
			result = this.compiler.compile(text);
			if (result.hasError()) {
				throw mistake(text, result.getErrors().get(0));
			}
			CelAbstractSyntaxTree tree = result.getAst();
			CelKind kind = tree.getResultType().kind();
			if (isCondition && kind != CelKind.BOOL && kind != CelKind.DYN) {
				throw new UnreadableConditionException(
						"The condition is not a boolean: it is of the type %s".formatted(tree.getResultType().name()),
						"Write something that is true or false, such as a comparison.", 0);
			}
			Condition condition = new CelTranslation(text, tree, this.variables).condition();
			CelSource source = new CelSource(text, tree);
			new Contradictions(source).check(tree.getExpr());
			if (!isCondition) {
				new UniqueValues(source).check(tree.getExpr());
			}
			return condition;
		}
		catch (CelValidationException ex) {
			throw new UnreadableConditionException("The condition cannot be read", "Correct it.", 0);
		}
		catch (StackOverflowError ex) {
			throw new UnreadableConditionException("The condition is nested too deep", "Write several rules.", 0);
		}
	}

	private UnreadableConditionException mistake(String text, CelIssue issue) {
		int position = position(text, issue.getSourceLocation().getLine(), issue.getSourceLocation().getColumn());
		String message = issue.getMessage();
		Matcher unknown = UNKNOWN.matcher(message);
		if (unknown.matches()) {
			return unknown(text, unknown.group(1), position);
		}
		Matcher field = UNKNOWN_FIELD.matcher(message);
		if (field.matches()) {
			int dot = text.indexOf('.', position);
			return new UnreadableConditionException("There is no field '%s'".formatted(field.group(1)),
					this.variables.adviceFor(text.substring(0, (dot >= 0) ? dot : position), field.group(1)),
					(dot >= 0) ? dot + 1 : position);
		}
		Matcher overload = NO_OVERLOAD.matcher(message);
		if (overload.matches() && ThingTypes.FUNCTIONS.contains(overload.group(1))
				&& text.substring(0, Math.max(0, text.lastIndexOf(overload.group(1), position)))
					.stripTrailing()
					.endsWith(".")) {
			return new UnreadableConditionException("The function '%s' is of no object".formatted(overload.group(1)),
					"Write %s(...) without anything before it.".formatted(overload.group(1)), position);
		}
		if (overload.matches()) {
			return new UnreadableConditionException(
					"The sign '%s' is not for %s".formatted(sign(overload.group(1)),
							overload.group(2).replace("google.protobuf.", "").replace("@", "")),
					(overload.group(2).contains("@")) ? this.variables.adviceForWhole(overload.group(2))
							: (overload.group(2).contains("int") && overload.group(2).contains("double"))
									? "Write the whole number with a fraction, such as 2.0, or double(...) around it."
									: "Compare values of the same type.",
					position);
		}
		if (message.startsWith("expression of type") || message.startsWith("For input string")
				|| message.startsWith("incompatible type") || message.contains("does not support field selection")) {
			return new UnreadableConditionException(plain(message), "Correct the condition.", position);
		}
		String token = token(text, position);
		String meant = OTHER_SIGNS.get(token);
		return new UnreadableConditionException(
				"The condition cannot be read from here on" + ((token.isEmpty()) ? "" : ": '" + token + "'"),
				(meant != null) ? "Write '%s'.".formatted(meant) : (position >= text.length())
						? "Something is missing at the end." : "Look at the signs and brackets just before it.",
				position);
	}

	private static String plain(String message) {
		return (message.startsWith("For input")) ? "The number is too large: it must be at most 9223372036854775807"
				: SafeText.reason(Character.toUpperCase(message.charAt(0)) + message.substring(1));
	}

	private UnreadableConditionException unknown(String text, String name, int position) {
		boolean isFunction = text.startsWith("(", position);
		int start = (isFunction && text.startsWith(name, position - name.length())) ? position - name.length()
				: position;
		boolean isMember = text.substring(0, start).stripTrailing().endsWith(".");
		List<String> known = new ArrayList<>(
				(!isFunction) ? this.variables.variables().keySet() : (isMember) ? MEMBERS : GLOBALS);
		String action = Spelling.didYouMean(name, known) + "Known are " + String.join(", ", known) + ".";
		return new UnreadableConditionException(
				"There is no %s '%s'".formatted((isFunction) ? "function" : "variable", SafeText.name(name)),
				(isFunction) ? action
						: action + ((this.variables.variables().containsKey("args") && !known.contains(name))
								? " An argument is written args." + SafeText.name(name) + "." : ""),
				start);
	}

	static String sign(String function) {
		return function.replace("_", "").replace("@", "");
	}

	/** Never more than a word or sign: a text may be a secret. */
	private static String token(String text, int position) {
		Matcher token = Pattern.compile("[A-Za-z_]{1,20}|[=<>!&|]{1,3}|[()\\[\\]{}.,?:%*/+-]")
			.matcher(text)
			.region(Math.min(position, text.length()), text.length());
		return (token.lookingAt()) ? token.group() : "";
	}

	/** In characters, of a line from 1 and a column from 0 in code points. */
	private static int position(String text, int line, int column) {
		int start = 0;
		for (int i = 1; i < line; i++) {
			int end = text.indexOf('\n', start);
			start = (end < 0) ? start : end + 1;
		}
		int rest = text.codePointCount(start, text.length());
		return text.offsetByCodePoints(start, Math.max(0, Math.min(column, rest)));
	}

}
