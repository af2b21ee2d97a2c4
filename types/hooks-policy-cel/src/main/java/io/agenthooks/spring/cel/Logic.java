package io.agenthooks.spring.cel;

import org.jspecify.annotations.Nullable;

/** As in CEL, a part that fails does not count where the other settles the matter. */
final class Logic {

	private Logic() {
	}

	static Failure noBoolean(String label, @Nullable Object value) {
		return (value instanceof Failure failure) ? failure
				: new Failure("%s is %s, not true or false".formatted(label, Values.kind(value)));
	}

	/** The value that settles the matter says whether it is "and" or "or". */
	record Junction(Boolean settling, Expression left, Expression right, String leftLabel,
			String rightLabel) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
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

	}

	record Negation(Expression part, String label) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.part.value(scope);
			return (value instanceof Boolean truth) ? (Object) !truth : noBoolean(this.label, value);
		}

	}

	/** A loop goes on unless it is certain that it need not. */
	record NotFalse(Expression part) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			return !Boolean.FALSE.equals(this.part.value(scope));
		}

	}

	record Choice(Expression condition, Expression one, Expression other, String label) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.condition.value(scope);
			if (!(value instanceof Boolean truth)) {
				return noBoolean(this.label, value);
			}
			return (truth) ? this.one.value(scope) : this.other.value(scope);
		}

	}

}
