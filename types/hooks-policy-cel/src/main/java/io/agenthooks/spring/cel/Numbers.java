package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.NumberText;

/**
 * Compared and added exactly: 1000, 1000.0 and 1e3 are the same. Null stands for a result
 * that would have too many digits.
 */
final class Numbers {

	/** For each 64 bits. */
	private static final int LONG_NUMBER = 16;

	private static final int MAX_TEXT = 1_000;

	private static final Pattern TEXT = Pattern.compile("-?\\d{1,1000}(\\.\\d{1,1000})?([eE][+-]?\\d{1,4})?");

	private Numbers() {
	}

	static boolean isSmall(Object number) {
		return number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte;
	}

	/**
	 * {@code null} if it has more than about a thousand digits. Of a double, it is the
	 * shortest number that is read as this one: that which was written.
	 */
	static @Nullable BigDecimal exact(Number number) {
		if (!NumberText.isWritable(number)) {
			return null;
		}
		if (number instanceof BigDecimal decimal) {
			return decimal;
		}
		if (number instanceof BigInteger integer) {
			return new BigDecimal(integer);
		}
		return (isSmall(number)) ? BigDecimal.valueOf(number.longValue()) : new BigDecimal(number.toString());
	}

	/** To reckon with: it has no thousand zeros either. */
	private static @Nullable BigDecimal term(Object number) {
		BigDecimal exact = exact((Number) number);
		return (exact == null || NumberText.hasManyZeros(exact)) ? null : exact;
	}

	static int compare(Number one, Number other) {
		if (isSmall(one) && isSmall(other)) {
			return Long.compare(one.longValue(), other.longValue());
		}
		BigDecimal exactOne = exact(one);
		BigDecimal exactOther = exact(other);
		return (exactOne == null || exactOther == null) ? Values.UNLIKE : exactOne.compareTo(exactOther);
	}

	static @Nullable Number add(Object one, Object other, Scope scope) {
		if (isSmall(one) && isSmall(other)) {
			long a = ((Number) one).longValue();
			long b = ((Number) other).longValue();
			long sum = a + b;
			if (((a ^ sum) & (b ^ sum)) >= 0) {
				return sum;
			}
		}
		BigDecimal a = term(one);
		BigDecimal b = term(other);
		return (a == null || b == null) ? null : result(a.add(b), scope);
	}

	static @Nullable Number subtract(Object one, Object other, Scope scope) {
		BigDecimal a = term(one);
		BigDecimal b = term(other);
		return (a == null || b == null) ? null : result(a.subtract(b), scope);
	}

	static @Nullable Number multiply(Object one, Object other, Scope scope) {
		BigDecimal a = term(one);
		BigDecimal b = term(other);
		return (a == null || b == null) ? null : result(a.multiply(b), scope);
	}

	private static @Nullable Number result(BigDecimal number, Scope scope) {
		scope.spend(LONG_NUMBER + number.unscaledValue().bitLength() / 4L);
		return (NumberText.isWritable(number) && !NumberText.hasManyZeros(number)) ? number : null;
	}

	/** Reading or writing costs the square of the length. */
	static void spend(Number number, Scope scope) {
		if (!(number instanceof Long || number instanceof Integer)) {
			long digits = length(number);
			scope.spend(LONG_NUMBER + digits * digits / 16);
		}
	}

	private static long length(Number number) {
		BigDecimal term = term(number);
		return (term != null) ? Math.max(term.precision(), Math.abs((long) term.scale())) : 0;
	}

	/** {@code null} if it is none, or too long. */
	static @Nullable BigInteger whole(Number number) {
		BigDecimal term = term(number);
		if (term == null) {
			return null;
		}
		if (term.scale() <= 0) {
			return term.toBigInteger();
		}
		BigInteger[] parts = term.unscaledValue().divideAndRemainder(BigInteger.TEN.pow(term.scale()));
		return (parts[1].signum() == 0) ? parts[0] : null;
	}

	static @Nullable BigDecimal read(String text) {
		if (text.length() > MAX_TEXT || !TEXT.matcher(text).matches()) {
			return null;
		}
		return new BigDecimal(text);
	}

	/** Without exponent and superfluous zeros. */
	static @Nullable String write(Number number) {
		BigDecimal term = term(number);
		if (term == null) {
			return null;
		}
		if (term.signum() == 0) {
			return "0";
		}
		String plain = term.toPlainString();
		if (plain.indexOf('.') < 0) {
			return plain;
		}
		int end = plain.length();
		while (plain.charAt(end - 1) == '0') {
			end--;
		}
		return plain.substring(0, (plain.charAt(end - 1) == '.') ? end - 1 : end);
	}

}
