package io.agenthooks.spring.cel;

import org.jspecify.annotations.Nullable;

/**
 * And, or, not and what is chosen by a condition. As in CEL, a part that fails does not
 * count where the other one settles the matter, whichever comes first.
 */
final class Logic {

	private Logic() {
	}

	static Failure noBoolean(String label, @Nullable Object value) {
		return (value instanceof Failure failure) ? failure
				: new Failure("%s is %s, not true or false".formatted(label, Values.kind(value)));
	}

	/** Both, or either of two. */
	static final class Junction extends Expression {

		private final Expression left;

		private final Expression right;

		/** The value that settles the matter. */
		private final Boolean settling;

		private final String leftLabel;

		private final String rightLabel;

		Junction(boolean and, Expression left, Expression right, String leftLabel, String rightLabel) {
			this.left = left;
			this.right = right;
			this.settling = !and;
			this.leftLabel = leftLabel;
			this.rightLabel = rightLabel;
		}

		@Override
		@Nullable Object value(Scope scope) {
			Object left = this.left.value(scope);
			if (this.settling.equals(left)) {
				return left;
			}
			Object right = this.right.value(scope);
			if (this.settling.equals(right)) {
				return right;
			}
			if (!(left instanceof Boolean)) {
				return noBoolean(this.leftLabel, left);
			}
			return (right instanceof Boolean) ? right : noBoolean(this.rightLabel, right);
		}

		@Override
		int cost() {
			return costOf(this.left, this.right);
		}

	}

	/** Not. */
	static final class Negation extends Expression {

		private final Expression part;

		private final String label;

		Negation(Expression part, String label) {
			this.part = part;
			this.label = label;
		}

		@Override
		@Nullable Object value(Scope scope) {
			Object value = this.part.value(scope);
			return (value instanceof Boolean truth) ? (Object) !truth : noBoolean(this.label, value);
		}

		@Override
		int cost() {
			return costOf(this.part);
		}

	}

	/** Whether a loop goes on: unless it is certain that it need not. */
	static final class NotFalse extends Expression {

		private final Expression part;

		NotFalse(Expression part) {
			this.part = part;
		}

		@Override
		@Nullable Object value(Scope scope) {
			return !Boolean.FALSE.equals(this.part.value(scope));
		}

		@Override
		int cost() {
			return costOf(this.part);
		}

	}

	/** One or the other. */
	static final class Choice extends Expression {

		private final Expression condition;

		private final Expression one;

		private final Expression other;

		private final String label;

		Choice(Expression condition, Expression one, Expression other, String label) {
			this.condition = condition;
			this.one = one;
			this.other = other;
			this.label = label;
		}

		@Override
		@Nullable Object value(Scope scope) {
			Object value = this.condition.value(scope);
			if (!(value instanceof Boolean truth)) {
				return noBoolean(this.label, value);
			}
			return (truth) ? this.one.value(scope) : this.other.value(scope);
		}

		@Override
		int cost() {
			return costOf(this.condition, this.one, this.other);
		}

	}

}
