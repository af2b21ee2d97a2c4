package io.agenthooks.spring.cel;

import org.jspecify.annotations.Nullable;

record Comparison(Operator operator, Expression left, Expression right, String label) implements Expression {

	private static boolean isNull(Expression part, Scope scope) {
		return part.isConstant() && part.value(scope) == null;
	}

	@Override
	public @Nullable Object value(Scope scope) {
		Object left = this.left.value(scope);
		if (left instanceof Failure) {
			return left;
		}
		Object right = this.right.value(scope);
		if (right instanceof Failure) {
			return right;
		}
		int result = switch (this.operator) {
			// Where null is written, a value is asked for nothing else.
			case EQUAL, UNEQUAL -> (isNull(this.left, scope) || isNull(this.right, scope))
					? (left == null && right == null) ? 1 : 0 : Values.equality(left, right, scope);
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

	enum Operator {

		EQUAL, UNEQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, IN

	}

}
