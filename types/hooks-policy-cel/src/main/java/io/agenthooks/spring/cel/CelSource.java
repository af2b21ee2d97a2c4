package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import org.jspecify.annotations.Nullable;

final class CelSource {

	private static final Pattern NUMBER = Pattern.compile("[-\\s]*((?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?)");

	private final String text;

	private final CelAbstractSyntaxTree tree;

	CelSource(String text, CelAbstractSyntaxTree tree) {
		this.text = text;
		this.tree = tree;
	}

	/** As it is written, not as the library has rounded it. */
	BigDecimal decimal(CelExpr part, double rounded) {
		Matcher number = NUMBER.matcher(this.text).region(positionOf(part), this.text.length());
		if (number.lookingAt() && number.group(1).length() <= 400) {
			BigDecimal written = new BigDecimal(number.group(1));
			BigDecimal signed = (rounded < 0) ? written.negate() : written;
			if (signed.doubleValue() == rounded) {
				return signed;
			}
		}
		throw mistake(part, "The number cannot be kept exactly", "Write it with fewer digits.");
	}

	/** Never holds a text that is written. */
	String label(CelExpr part) {
		return switch (part.getKind()) {
			case IDENT -> part.ident().name();
			case SELECT -> label(part.select().operand()) + "." + part.select().field();
			default -> "...";
		};
	}

	String quoted(CelExpr part) {
		String label = label(part);
		return (label.startsWith("...") || label.startsWith("@")) ? "a part of the condition" : "'" + label + "'";
	}

	private int positionOf(CelExpr part) {
		if (part.getKind() == CelExpr.ExprKind.Kind.SELECT) {
			return positionOf(part.select().operand());
		}
		Integer offset = this.tree.getSource().getPositionsMap().get(part.id());
		int points = this.text.codePointCount(0, this.text.length());
		return this.text.offsetByCodePoints(0, Math.min(Objects.requireNonNullElse(offset, 0), points));
	}

	int startOf(CelExpr part) {
		if (part.getKind() == CelExpr.ExprKind.Kind.SELECT) {
			return startOf(part.select().operand());
		}
		if (part.getKind() == CelExpr.ExprKind.Kind.CALL) {
			CelExpr.CelCall call = part.call();
			if (call.target().isPresent()) {
				return startOf(call.target().get());
			}
			if (call.function().equals("_[_]")) {
				return startOf(call.args().get(0));
			}
		}
		return positionOf(part);
	}

	int positionOfField(CelExpr part) {
		CelExpr.CelSelect select = part.select();
		int start = (select.operand().getKind() == CelExpr.ExprKind.Kind.SELECT) ? positionOfField(select.operand())
				: startOf(select.operand());
		Matcher field = Pattern.compile("\\.\\s*`?(" + Pattern.quote(select.field()) + ")\\b")
			.matcher(this.text)
			.region(Math.min(start, this.text.length()), this.text.length());
		return (field.find()) ? field.start(1) : start;
	}

	String text() {
		return this.text;
	}

	CelAbstractSyntaxTree tree() {
		return this.tree;
	}

	/** Equal ones are equal; {@code null} if the part is no constant. */
	static @Nullable Object constant(CelExpr part) {
		if (part.getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
			return null;
		}
		CelConstant constant = part.constant();
		return switch (constant.getKind()) {
			case BOOLEAN_VALUE -> constant.booleanValue();
			case STRING_VALUE -> constant.stringValue();
			case INT64_VALUE -> ArgumentType.plain(constant.int64Value());
			case UINT64_VALUE -> ArgumentType.plain(new BigDecimal(constant.uint64Value().bigIntegerValue()));
			case DOUBLE_VALUE ->
				(Double.isFinite(constant.doubleValue())) ? ArgumentType.plain(constant.doubleValue()) : null;
			default -> null;
		};
	}

	UnreadableConditionException mistake(CelExpr part, String message, String action) {
		return new UnreadableConditionException(message, action, positionOf(part));
	}

}
