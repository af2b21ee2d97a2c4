package io.agenthooks.policy;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads an amount of money, with or without its currency, exactly. One of which nobody
 * knows whether its sign stands before a fraction or between thousands is not read.
 *
 * @since 0.1.0
 */
public final class MoneyAmount {

	private static final int MAX_LENGTH = 100;

	private static final Pattern AMOUNT = Pattern
		.compile("(?:[A-Z]{3}|\\p{Sc}|[A-Z]{1,3}\\p{Sc})?\\s*(-?)\\s*(?:\\p{Sc})?\\s*([0-9][0-9.,' _\u00A0\u202F]*)"
				+ "\\s*(?:[A-Z]{3}|\\p{Sc})?");

	/**
	 * Behind a comma not more: a program that leaves it out reads a thousand times as
	 * much.
	 */
	private static final Pattern PLAIN = Pattern
		.compile("[0-9]+(?:[.,][0-9]{1,2})?|[0-9]{4,}\\.[0-9]+|[0-9]+\\.[0-9]{4,}|0\\.[0-9]+");

	private static final Pattern GROUPED = Pattern
		.compile("([0-9]{1,3})(?:([.,' _\u00A0\u202F])([0-9]{2,3}))+(?:([.,])([0-9]+))?");

	private MoneyAmount() {
	}

	/**
	 * Read an amount.
	 * @param written the amount, such as {@code 1,234.50 EUR}
	 * @return the number
	 * @throws UnreadableValueException if it is none, or people read it differently
	 */
	public static BigDecimal of(String written) throws UnreadableValueException {
		Matcher amount = AMOUNT.matcher((written.length() <= MAX_LENGTH) ? written.strip() : "");
		if (!amount.matches()) {
			throw new UnreadableValueException("it is no amount of money");
		}
		BigDecimal number = number(amount.group(2).strip());
		return (amount.group(1).isEmpty()) ? number : number.negate();
	}

	private static BigDecimal number(String digits) throws UnreadableValueException {
		if (PLAIN.matcher(digits).matches()) {
			return new BigDecimal(digits.replace(',', '.'));
		}
		Matcher grouped = GROUPED.matcher(digits);
		String separators = digits.replaceAll("[0-9]", "");
		if (!grouped.matches() || separators.isEmpty()) {
			throw new UnreadableValueException("people read the signs in an amount differently");
		}
		char group = separators.charAt(0);
		char last = separators.charAt(separators.length() - 1);
		boolean hasFraction = last != group;
		int end = (hasFraction) ? digits.lastIndexOf(last) : digits.length();
		boolean isOneOfPoints = !hasFraction && separators.length() == 1 && (group == '.' || group == ',');
		String[] parts = digits.substring(0, end).split(Pattern.quote(String.valueOf(group)), -1);
		boolean areThousands = parts.length > 1;
		for (int i = 1; i < parts.length; i++) {
			areThousands &= parts[i].matches("[0-9]{3}");
		}
		if (isOneOfPoints || !areThousands || (hasFraction && ".,".indexOf(last) < 0)) {
			throw new UnreadableValueException("people read the signs in an amount differently");
		}
		return new BigDecimal(String.join("", parts) + ((hasFraction) ? "." + digits.substring(end + 1) : ""));
	}

}
