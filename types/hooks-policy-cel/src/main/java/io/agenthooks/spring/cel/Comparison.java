package io.agenthooks.spring.cel;

import org.jspecify.annotations.Nullable;

/** Compares two values. */
final class Comparison implements Expression {

	/** Texts of which comparing is not counted as work. */
	private static final int SHORT = 64;

	private final Operator operator;

	private final Expression left;

	private final Expression right;

	private final String label;

	/**
	 * Whether one side is written as {@code null}, so that it is asked for nothing else.
	 */
	private final boolean withNull;

	/**
	 * The number on the right if it is written and small; most rules compare with one.
	 */
	private final long written;

	private final boolean withWritten;

	Comparison(Operator operator, Expression left, Expression right, String label) {
		this.operator = operator;
		this.left = left;
		this.right = right;
		this.label = label;
		this.withNull = isNull(left) || isNull(right);
		Object constant = (right.isConstant()) ? right.value(Scope.beforeCalls()) : null;
		this.withWritten = constant instanceof Long && operator != Operator.IN;
		this.written = (constant instanceof Long number) ? number : 0;
	}

	private static boolean isNull(Expression part) {
		return part.isConstant() && part.value(Scope.beforeCalls()) == null;
	}

	@Override
	public @Nullable Object value(Scope scope) {
		Object left = this.left.value(scope);
		if (left instanceof Failure) {
			return left;
		}
		if (this.withWritten && (left instanceof Integer || left instanceof Long)) {
			return holds(Long.compare(((Number) left).longValue(), this.written));
		}
		Object right = this.right.value(scope);
		if (right instanceof Failure) {
			return right;
		}
		if (this.operator == Operator.EQUAL && left instanceof String text && right instanceof String other
				&& other.length() <= SHORT) {
			return text.equals(other);
		}
		int result = switch (this.operator) {
			case EQUAL, UNEQUAL ->
				(this.withNull) ? (left == null && right == null) ? 1 : 0 : Values.equality(left, right, scope);
			case IN -> Values.membership(left, right, scope);
			case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> Values.order(left, right, scope);
		};
		if (result == Values.UNLIKE) {
			return unlike(left, right);
		}
		return switch (this.operator) {
			case EQUAL, IN -> result == 1;
			case UNEQUAL -> result == 0;
			case LESS -> result < 0;
			case LESS_OR_EQUAL -> result <= 0;
			case GREATER -> result > 0;
			case GREATER_OR_EQUAL -> result >= 0;
		};
	}

	private boolean holds(int order) {
		return switch (this.operator) {
			case EQUAL, IN -> order == 0;
			case UNEQUAL -> order != 0;
			case LESS -> order < 0;
			case LESS_OR_EQUAL -> order <= 0;
			case GREATER -> order > 0;
			case GREATER_OR_EQUAL -> order >= 0;
		};
	}

	private Failure unlike(@Nullable Object left, @Nullable Object right) {
		Values.Kind kind = Values.kind(left);
		Values.Kind other = Values.kind(right);
		if (kind == Values.Kind.NUMBER && other == kind) {
			return new Failure(this.label + " has too many digits");
		}
		if (this.operator == Operator.IN && other == Values.Kind.LIST) {
			return new Failure(this.label + " and the list do not hold values of the same kind");
		}
		return new Failure("%s cannot be compared: %s and %s".formatted(this.label, kind, other));
	}

	@Override
	public int cost() {
		return Expression.costOf(this.left, this.right);
	}

	/** The comparisons of values. */
	enum Operator {

		EQUAL, UNEQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, IN

	}

}
