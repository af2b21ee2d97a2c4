package io.agenthooks.pattern;

import java.math.BigDecimal;
import java.math.BigInteger;

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
		boolean isBinary = number instanceof Double || number instanceof Float;
		BigDecimal decimal = (number instanceof BigDecimal big) ? big : (isBinary) ? new BigDecimal(text) : null;
		if (decimal == null || (decimal.scale() == 0 && text.indexOf('E') < 0) || hasManyZeros(decimal)) {
			return text;
		}
		if (decimal.signum() == 0) {
			return "0";
		}
		return withoutZeros((decimal.scale() > 0 && text.indexOf('E') < 0) ? text : decimal.toPlainString());
	}

	/**
	 * Whether a number would have more zeros than anybody writes.
	 * @param decimal the number
	 * @return whether it would
	 */
	public static boolean hasManyZeros(BigDecimal decimal) {
		return Math.abs((long) decimal.scale()) > MAX_SCALE;
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
