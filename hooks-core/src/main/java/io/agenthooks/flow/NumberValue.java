package io.agenthooks.flow;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * Numbers by value, as a text: {@code 1,200.50} and {@code 1200.5} have the same one.
 */
final class NumberValue {

	/** Longer ones are no numbers, but texts. */
	static final int MAX_LENGTH = 40;

	private NumberValue() {
	}

	static String of(BigDecimal number) {
		BigDecimal stripped = number.stripTrailingZeros();
		return stripped.unscaledValue() + "e" + stripped.scale();
	}

	/** {@code null} if it is no number. */
	static @Nullable String of(String text, int start, int end) {
		int first = (start < end && text.charAt(start) == '-') ? start + 1 : start;
		if (first >= end || end - start > MAX_LENGTH || !isDigit(text.charAt(first))) {
			return null;
		}
		int dot = text.indexOf('.', first);
		int whole = (dot >= 0 && dot < end) ? dot : end;
		int fraction = whole + 1;
		int comma = text.indexOf(',', first);
		if (comma >= 0 && comma < whole && !isGrouped(text, first, whole)) {
			if (whole < end || end - comma > 3) {
				return null;
			}
			whole = comma;
			fraction = comma + 1;
		}
		if (fraction == end || (text.charAt(first) == '0' && whole - first > 1)) {
			return null;
		}
		StringBuilder digits = new StringBuilder(end - start + 4);
		if (!addDigits(text, first, whole, true, digits) || !addDigits(text, fraction, end, false, digits)) {
			return null;
		}
		return written(digits, Math.max(0, end - fraction), first > start);
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

	/** Whether all groups but the first are of three, and the first is of up to three. */
	private static boolean isGrouped(String text, int start, int end) {
		int place = text.indexOf(',', start);
		if (place - start < 1 || place - start > 3 || text.charAt(start) == '0') {
			return false;
		}
		for (; place < end; place += 4) {
			if (text.charAt(place) != ',' || end - place < 4) {
				return false;
			}
		}
		return place == end;
	}

	private static boolean addDigits(String text, int start, int end, boolean grouped, StringBuilder digits) {
		for (int i = start; i < end; i++) {
			char character = text.charAt(i);
			if (isDigit(character)) {
				digits.append(character);
			}
			else if (!(grouped && character == ',')) {
				return false;
			}
		}
		return true;
	}

	private static String written(StringBuilder digits, int decimals, boolean negative) {
		int scale = decimals;
		int end = digits.length();
		while (end > 1 && digits.charAt(end - 1) == '0') {
			end--;
			scale--;
		}
		int start = 0;
		while (start < end - 1 && digits.charAt(start) == '0') {
			start++;
		}
		digits.setLength(end);
		if (digits.charAt(start) == '0') {
			return "0e0";
		}
		String sign = (negative) ? "-" : "";
		return sign + digits.substring(start) + "e" + scale;
	}

}
