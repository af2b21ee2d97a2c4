package io.agenthooks.spring.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Writes JSON values in one form, as RFC 8785 does, so that equal values have equal
 * hashes: names in the order of their UTF-16 units, no white space, the shortest numbers.
 * <p>
 * There are two differences, so that no two values have one form. Integers keep all their
 * digits, where RFC 8785 would round them to doubles, and so do decimals that no double
 * is equal to. Half a surrogate pair, which RFC 8785 refuses, is escaped.
 *
 * @since 0.1.0
 */
public final class CanonicalJson {

	/** To write a number of more bits takes time that grows with their square. */
	private static final int MAX_BITS = 10_000;

	/** Below it ECMAScript writes numbers without an exponent. */
	private static final int MAX_PLAIN_DIGITS = 21;

	private static final int MAX_LEADING_ZEROS = 6;

	private final StringBuilder json = new StringBuilder();

	/** Whether numbers keep the digits that they came with. */
	private final boolean exact;

	private CanonicalJson(boolean exact) {
		this.exact = exact;
	}

	/**
	 * Write a value so that equal values have one form.
	 * @param value a JSON value
	 * @return the form
	 */
	public static String write(@Nullable Object value) {
		return write(value, false);
	}

	/**
	 * Write a value so that nothing that a reader of JSON could tell apart has one form:
	 * also {@code 1}, {@code 1.0} and {@code 1.00}, which RFC 8785 writes alike, stay
	 * different. A tool may read any of them as a text.
	 * @param value a JSON value
	 * @return the form
	 */
	public static String writeExact(@Nullable Object value) {
		return write(value, true);
	}

	private static String write(@Nullable Object value, boolean exact) {
		CanonicalJson writer = new CanonicalJson(exact);
		writer.append(value);
		return writer.json.toString();
	}

	private void append(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			appendMap(map);
		}
		else if (value instanceof List<?> list) {
			appendList(list);
		}
		else if (value instanceof Number number) {
			appendNumber(number);
		}
		else if (value == null || value instanceof Boolean) {
			this.json.append(value);
		}
		else {
			appendText(value.toString());
		}
	}

	private void appendMap(Map<?, ?> map) {
		List<String> names = new ArrayList<>(map.size());
		map.keySet().forEach((name) -> names.add((String) name));
		names.sort(null);
		this.json.append('{');
		for (int i = 0; i < names.size(); i++) {
			if (i > 0) {
				this.json.append(',');
			}
			appendText(names.get(i));
			this.json.append(':');
			append(map.get(names.get(i)));
		}
		this.json.append('}');
	}

	private void appendList(List<?> list) {
		this.json.append('[');
		for (int i = 0; i < list.size(); i++) {
			if (i > 0) {
				this.json.append(',');
			}
			append(list.get(i));
		}
		this.json.append(']');
	}

	private void appendText(String text) {
		this.json.append('"');
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			switch (character) {
				case '"' -> this.json.append("\\\"");
				case '\\' -> this.json.append("\\\\");
				case '\b' -> this.json.append("\\b");
				case '\f' -> this.json.append("\\f");
				case '\n' -> this.json.append("\\n");
				case '\r' -> this.json.append("\\r");
				case '\t' -> this.json.append("\\t");
				default -> {
					if (character < ' ' || isHalf(text, i)) {
						this.json.append("\\u").append(HexFormat.of().toHexDigits(character));
					}
					else {
						this.json.append(character);
					}
				}
			}
		}
		this.json.append('"');
	}

	private static boolean isHalf(String text, int index) {
		char character = text.charAt(index);
		if (Character.isHighSurrogate(character)) {
			return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
		}
		return Character.isLowSurrogate(character)
				&& (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
	}

	private void appendNumber(Number number) {
		if (number instanceof Double || number instanceof Float) {
			BigDecimal exact = (number instanceof Float) ? new BigDecimal(number.toString())
					: new BigDecimal(number.doubleValue());
			int start = this.json.length();
			appendDecimal(shortest(exact, exact.doubleValue()));
			if (this.exact) {
				markFraction(start, number.doubleValue());
			}
		}
		else if (this.exact && number instanceof BigDecimal decimal
				&& decimal.unscaledValue().bitLength() <= MAX_BITS) {
			this.json.append(decimal);
		}
		else if (this.exact && number instanceof BigInteger integer && integer.bitLength() <= MAX_BITS) {
			this.json.append(integer);
		}
		else if (number instanceof BigDecimal decimal) {
			appendDecimal(decimal);
		}
		else if (number instanceof BigInteger integer) {
			appendDecimal(new BigDecimal(integer));
		}
		else {
			this.json.append(number.longValue());
		}
	}

	/** Keep a double from having the form of an integer. */
	private void markFraction(int start, double number) {
		if (number == 0 && 1 / number < 0) {
			this.json.insert(start, '-');
		}
		if (this.json.indexOf(".", start) < 0 && this.json.indexOf("e", start) < 0) {
			this.json.append(".0");
		}
	}

	/**
	 * The shortest that is read as the same double: what Java writes depends on its
	 * version.
	 */
	private static BigDecimal shortest(BigDecimal exact, double number) {
		for (int digits = 1; digits < 17; digits++) {
			BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
			if (rounded.doubleValue() == number) {
				return rounded;
			}
		}
		return exact.round(new MathContext(17, RoundingMode.HALF_EVEN));
	}

	private void appendDecimal(BigDecimal number) {
		if (number.unscaledValue().bitLength() > MAX_BITS) {
			// No JSON, but one form of this number and of no other value.
			this.json.append("0x")
				.append(HexFormat.of().formatHex(number.unscaledValue().toByteArray()))
				.append('e')
				.append(-number.scale());
			return;
		}
		if (number.signum() == 0) {
			this.json.append('0');
			return;
		}
		BigDecimal plain = number.stripTrailingZeros();
		String digits = plain.unscaledValue().abs().toString();
		// The number is 0.digits times ten to the power of this
		long point = (long) digits.length() - plain.scale();
		boolean integer = plain.scale() <= 0;
		if (plain.signum() < 0) {
			this.json.append('-');
		}
		if (integer && point <= Math.max(MAX_PLAIN_DIGITS, digits.length())) {
			this.json.append(digits).append("0".repeat((int) point - digits.length()));
		}
		else if (!integer && point > 0) {
			this.json.append(digits, 0, (int) point).append('.').append(digits, (int) point, digits.length());
		}
		else if (point <= 0 && point > -MAX_LEADING_ZEROS) {
			this.json.append("0.").append("0".repeat((int) -point)).append(digits);
		}
		else {
			this.json.append(digits.charAt(0));
			if (digits.length() > 1) {
				this.json.append('.').append(digits, 1, digits.length());
			}
			this.json.append('e').append((point > 0) ? "+" : "").append(point - 1);
		}
	}

}
