package io.agenthooks.pattern;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Writes numbers as texts to be searched, without an exponent. A short number such as
 * 1e300 becomes a long text, and there may be many of them, so this takes little more
 * time than filling in the zeros.
 *
 * @since 0.1.0
 */
public final class NumberText {

	private static final int MAX_BITS = 4_000;

	private static final int MAX_SCALE = 1_000;

	private NumberText() {
	}

	/**
	 * Whether a number can be written in a short time: it has no more than about a
	 * thousand digits. How many zeros it has does not matter.
	 * @param number the number
	 * @return whether it is not too long
	 */
	public static boolean isWritable(Number number) {
		return significandOf(number).bitLength() <= MAX_BITS;
	}

	/**
	 * The digits of a large number, as an integer.
	 * @param number the number
	 * @return the digits, zero for a number of another type
	 */
	public static BigInteger significandOf(Number number) {
		if (number instanceof BigDecimal decimal) {
			return decimal.unscaledValue();
		}
		return (number instanceof BigInteger integer) ? integer : BigInteger.ZERO;
	}

	/**
	 * A number without exponent and superfluous zeros, as a tool may well read it: 22 for
	 * 22.0, 1000 for 1E3. A number with more than a thousand zeros stays as it is.
	 * @param number the number, which is {@linkplain #isWritable(Number) writable} and
	 * finite
	 * @param text the number as its {@code toString()} writes it
	 * @return the number, the same object if it is the same text
	 */
	public static String plain(Number number, String text) {
		if (number instanceof BigDecimal decimal) {
			return (hasManyZeros(decimal)) ? text : plain(decimal, text);
		}
		if (!(number instanceof Double || number instanceof Float)) {
			return text;
		}
		int exponent = text.indexOf('E');
		if (exponent < 0) {
			return text.equals("-0.0") ? "0" : withoutZeros(text);
		}
		boolean negative = text.charAt(0) == '-';
		int point = text.indexOf('.');
		String digits = text.substring((negative) ? 1 : 0, point) + text.substring(point + 1, exponent);
		return write(negative, digits, digits.length() - 1 - Integer.parseInt(text, exponent + 1, text.length(), 10));
	}

	/**
	 * Whether a number would have more zeros than anybody writes.
	 * @param decimal the number
	 * @return whether it would
	 */
	public static boolean hasManyZeros(BigDecimal decimal) {
		return Math.abs((long) decimal.scale()) > MAX_SCALE;
	}

	private static String plain(BigDecimal decimal, String text) {
		int scale = decimal.scale();
		if (scale == 0) {
			return text;
		}
		if (decimal.signum() == 0) {
			return "0";
		}
		if (scale > 0 && text.indexOf('E') < 0) {
			return withoutZeros(text);
		}
		boolean negative = decimal.signum() < 0;
		BigInteger significand = decimal.unscaledValue();
		String digits = (significand.bitLength() < Long.SIZE) ? Long.toString(significand.longValue())
				: significand.toString();
		return write(negative, (negative) ? digits.substring(1) : digits, scale);
	}

	/** Write digits with a point. A negative scale is the number of zeros after them. */
	private static String write(boolean negative, String digits, int scale) {
		int sign = (negative) ? 1 : 0;
		int length = digits.length();
		if (scale <= 0) {
			char[] plain = zeros(sign + length - scale, negative);
			digits.getChars(0, length, plain, sign);
			return new String(plain);
		}
		// At least one digit before the point.
		int before = Math.max(1, length - scale);
		char[] plain = zeros(sign + before + 1 + scale, negative);
		if (length > scale) {
			digits.getChars(0, before, plain, sign);
			digits.getChars(before, length, plain, sign + before + 1);
		}
		else {
			digits.getChars(0, length, plain, plain.length - length);
		}
		plain[sign + before] = '.';
		return withoutZeros(new String(plain));
	}

	private static char[] zeros(int length, boolean negative) {
		char[] zeros = new char[length];
		Arrays.fill(zeros, '0');
		if (negative) {
			zeros[0] = '-';
		}
		return zeros;
	}

	/**
	 * A number without the zeros at the end of its fraction. Taking them from the text
	 * takes no time; BigDecimal divides by ten for each of them.
	 */
	private static String withoutZeros(String plain) {
		int end = plain.length();
		if (plain.charAt(end - 1) != '0' || plain.indexOf('.') < 0) {
			return plain;
		}
		while (plain.charAt(end - 1) == '0') {
			end--;
		}
		return plain.substring(0, (plain.charAt(end - 1) == '.') ? end - 1 : end);
	}

}
