package io.agenthooks.redact;

import java.util.function.BiConsumer;

/**
 * Finds telephone numbers: with a country code behind {@code +} or {@code 00}, national
 * ones that start with zero and are grouped, and those of North America in groups of
 * three, three and four digits.
 */
final class Phones {

	private static final int MIN_DIGITS = 8;

	private static final int MAX_DIGITS = 15;

	/** How far a number may reach. */
	private static final int MAX_LENGTH = 34;

	private static final int MAX_SEPARATOR = 3;

	private final String text;

	private Phones(String text) {
		this.text = text;
	}

	/**
	 * Find the numbers in a text.
	 * @param text the text
	 * @param hits gets the start and the end of each
	 */
	static void find(String text, BiConsumer<Integer, Integer> hits) {
		Phones phones = new Phones(text);
		for (int i = 0; i < text.length();) {
			int end = (phones.mayStartAt(i)) ? phones.endOf(i) : -1;
			if (end > 0) {
				hits.accept(i, end);
			}
			i = (end > 0) ? end : i + 1;
		}
	}

	private static boolean isDigit(int character) {
		return character >= '0' && character <= '9';
	}

	private boolean mayStartAt(int start) {
		char first = this.text.charAt(start);
		if (first != '+' && !isDigit(first) && !(first == '(' && isAreaCode(start))) {
			return false;
		}
		if (start == 0) {
			return true;
		}
		char before = this.text.charAt(start - 1);
		if (first != '+' && start > 1 && isSeparator(before) && isDigit(this.text.charAt(start - 2))) {
			return false;
		}
		boolean isEdge = !Character.isLetterOrDigit(before) && "+._/".indexOf(before) < 0
				&& (before != '-' || start == 1 || !Character.isLetterOrDigit(this.text.charAt(start - 2)));
		return isEdge || Escapes.endsAt(this.text, start);
	}

	/**
	 * Whether a few digits stand in brackets.
	 */
	private boolean isAreaCode(int start) {
		int end = start + 1;
		while (end < this.text.length() && end - start <= 6 && isDigit(this.text.charAt(end))) {
			end++;
		}
		return end > start + 1 && end < this.text.length() && this.text.charAt(end) == ')';
	}

	/**
	 * Where the number that starts here ends, or -1 if there is none.
	 */
	private int endOf(int start) {
		StringBuilder digits = new StringBuilder(MAX_DIGITS);
		StringBuilder groups = new StringBuilder(8);
		int limit = Math.min(this.text.length(), start + MAX_LENGTH);
		int position = (this.text.charAt(start) == '+') ? start + 1 : start;
		int end = -1;
		while (position < limit) {
			int digit = position;
			while (digit < limit && isDigit(this.text.charAt(digit)) && digit - position <= MAX_DIGITS) {
				digit++;
			}
			if (digit == position && digits.length() > 0) {
				break;
			}
			digits.append(this.text, position, digit);
			groups.append((char) ('0' + Math.min(9, digit - position)));
			if (digits.length() > MAX_DIGITS) {
				break;
			}
			if (mayEndAt(digit) && isNumber(start, digits, groups)) {
				end = digit;
			}
			position = endOfSeparator(digit);
			if (position == digit) {
				break;
			}
		}
		return end;
	}

	private boolean mayEndAt(int end) {
		if (end == this.text.length()) {
			return true;
		}
		char after = this.text.charAt(end);
		boolean goesOn = "-./:".indexOf(after) >= 0 && end + 1 < this.text.length()
				&& isDigit(this.text.charAt(end + 1));
		return !Character.isLetterOrDigit(after) && after != '_' && !goesOn;
	}

	private int endOfSeparator(int start) {
		int end = start;
		while (end < this.text.length() && end - start < MAX_SEPARATOR && isSeparator(this.text.charAt(end))) {
			end++;
		}
		return end;
	}

	private static boolean isSeparator(char character) {
		int type = Character.getType(character);
		return type == Character.SPACE_SEPARATOR || type == Character.DASH_PUNCTUATION
				|| "./()".indexOf(character) >= 0;
	}

	/**
	 * Whether these are the digits of a number.
	 * @param groups how many there are between two separators, a digit for each
	 */
	private boolean isNumber(int start, StringBuilder digits, StringBuilder groups) {
		int count = digits.length();
		if (count < MIN_DIGITS) {
			return false;
		}
		char first = digits.charAt(0);
		if (this.text.charAt(start) == '+') {
			return first != '0';
		}
		String shape = (groups.charAt(0) == '0') ? groups.substring(1) : groups.toString();
		if (first == '0' && digits.charAt(1) == '0') {
			return count >= MIN_DIGITS + 2 && shape.length() > 1 && digits.charAt(2) != '0';
		}
		if (first == '0') {
			return count >= 9 && count <= 12 && shape.length() > 1 && shape.charAt(0) >= '3';
		}
		String national = (first == '1' && shape.startsWith("1")) ? shape.substring(1) : shape;
		int area = (national.length() < shape.length()) ? 1 : 0;
		return national.equals("334") && digits.charAt(area) >= '2' && digits.charAt(area + 3) >= '2';
	}

}
