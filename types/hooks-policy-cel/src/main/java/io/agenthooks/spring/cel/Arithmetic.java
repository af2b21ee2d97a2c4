package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Without rounding; also of times, and joins texts and lists. */
record Arithmetic(Operator operator, Expression left, Expression right, String label) implements Expression {

	/** The memory that an element takes counts more than its time. */
	private static final int ELEMENT = 16;

	private static final int CHARACTER = 8;

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
		if (left instanceof Number && right instanceof Number) {
			Object result = numbers(left, right, scope);
			return (result != null) ? result : new Failure(this.label + " has too many digits");
		}
		Object result = null;
		try {
			result = (this.operator == Operator.ADD) ? join(left, right, scope)
					: (this.operator == Operator.SUBTRACT) ? subtract(left, right) : null;
		}
		catch (DateTimeException | ArithmeticException ex) {
			return new Failure(this.label + " is out of the range of times");
		}
		return (result != null) ? result : new Failure(
				"%s cannot be calculated: %s and %s".formatted(this.label, Values.kind(left), Values.kind(right)));
	}

	private @Nullable Object numbers(Object left, Object right, Scope scope) {
		return switch (this.operator) {
			case ADD -> Numbers.add(left, right, scope);
			case SUBTRACT -> Numbers.subtract(left, right, scope);
			case MULTIPLY -> Numbers.multiply(left, right, scope);
			case DIVIDE, REMAINDER -> {
				Numbers.spend((Number) left, scope);
				Numbers.spend((Number) right, scope);
				yield divide((Number) left, (Number) right);
			}
		};
	}

	private @Nullable Object divide(Number left, Number right) {
		BigInteger dividend = Numbers.whole(left);
		BigInteger divisor = Numbers.whole(right);
		if (dividend == null || divisor == null) {
			return null;
		}
		if (divisor.signum() == 0) {
			return new Failure(this.label + " is divided by zero");
		}
		return new BigDecimal(
				(this.operator == Operator.DIVIDE) ? dividend.divide(divisor) : dividend.remainder(divisor));
	}

	private static @Nullable Object join(@Nullable Object left, @Nullable Object right, Scope scope) {
		if (left instanceof String one && right instanceof String other) {
			scope.spend(CHARACTER * ((long) one.length() + other.length()));
			return one + other;
		}
		if (left instanceof Collected collected && collected.isOpen() && right instanceof Collection<?> more) {
			scope.spend(ELEMENT * (1L + more.size()));
			collected.addAll(more);
			return collected;
		}
		if (left instanceof Collection<?> one && right instanceof Collection<?> other) {
			scope.spend(ELEMENT * ((long) one.size() + other.size()));
			List<@Nullable Object> joined = new ArrayList<>(one);
			joined.addAll(other);
			return joined;
		}
		if (right instanceof Duration duration) {
			return (left instanceof Instant time) ? time.plus(duration)
					: (left instanceof Duration other) ? other.plus(duration) : null;
		}
		return (left instanceof Duration duration && right instanceof Instant time) ? time.plus(duration) : null;
	}

	private static @Nullable Object subtract(@Nullable Object left, @Nullable Object right) {
		if (left instanceof Instant one && right instanceof Instant other) {
			return Duration.between(other, one);
		}
		if (!(right instanceof Duration duration)) {
			return null;
		}
		return (left instanceof Instant time) ? time.minus(duration)
				: (left instanceof Duration other) ? other.minus(duration) : null;
	}

	enum Operator {

		ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER

	}

	/** A list to which only a loop adds. */
	static final class Collected extends ArrayList<@Nullable Object> {

		private static final long serialVersionUID = 1L;

		private boolean open = true;

		boolean isOpen() {
			return this.open;
		}

		void close() {
			this.open = false;
		}

	}

}
