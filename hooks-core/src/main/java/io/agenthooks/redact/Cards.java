package io.agenthooks.redact;

import java.util.function.BiConsumer;

/**
 * Finds numbers of payment cards: 13 to 19 digits in one piece or grouped as on a card,
 * that start with 2 to 6 and end with the right check digit (Luhn). One number of ten has
 * it by chance, so what is surely none is left alone: longer numbers, and digits that are
 * part of a word, a decimal fraction or a telephone number.
 */
final class Cards {

	private static final int MIN_DIGITS = 13;

	private static final int MAX_DIGITS = 19;

	/** The digits of the groups on a card; the last one may vary. */
	private static final int[][] GROUPS = { { 4, 4, 4, 1, 4 }, { 4, 4, 4, 4, 1, 3 }, { 4, 6, 4, 5 } };

	private static final int MAX_SEPARATOR = 2;

	private final String text;

	private Cards(String text) {
		this.text = text;
	}

	/**
	 * Find the numbers in a text.
	 * @param text the text
	 * @param hits gets the start and the end of each
	 */
	static void find(String text, BiConsumer<Integer, Integer> hits) {
		Cards cards = new Cards(text);
		for (int start = 0; start < text.length();) {
			if (!isDigit(text.charAt(start))) {
				start++;
				continue;
			}
			int end = cards.endOf(start);
			int escape = Escapes.lengthAt(text, start);
			if (end < 0 && escape > 0 && start + escape < text.length() && isDigit(text.charAt(start + escape))) {
				start += escape;
				end = cards.endOf(start);
			}
			if (end > 0) {
				hits.accept(start, end);
			}
			// Another number may start within this one, which may be one by chance.
			start = cards.endOfDigits(start);
		}
	}

	private static boolean isDigit(int character) {
		return character >= '0' && character <= '9';
	}

	private int endOfDigits(int start) {
		int end = start;
		while (end < this.text.length() && isDigit(this.text.charAt(end))) {
			end++;
		}
		return end;
	}

	/**
	 * The same if no more digits matter than a number has at most.
	 */
	private int endOfFewDigits(int start) {
		int limit = Math.min(this.text.length(), start + MAX_DIGITS + 1);
		int end = start;
		while (end < limit && isDigit(this.text.charAt(end))) {
			end++;
		}
		return end;
	}

	private boolean mayStartAt(int start) {
		char first = this.text.charAt(start);
		if (first < '2' || first > '6') {
			return false;
		}
		if (start == 0) {
			return true;
		}
		char before = this.text.charAt(start - 1);
		if (before == '+') {
			return false;
		}
		if (before == '.' || before == ',') {
			// A comma may also be between the fields of a table.
			return before == ',' || start < 2 || !isDigit(this.text.charAt(start - 2));
		}
		return !isPartOfWord(before) || Escapes.endsAt(this.text, start);
	}

	private boolean mayEndAt(int end) {
		if (end == this.text.length()) {
			return true;
		}
		char after = this.text.charAt(end);
		return !isPartOfWord(after)
				&& (after != '.' || end + 1 == this.text.length() || !isDigit(this.text.charAt(end + 1)));
	}

	private static boolean isPartOfWord(char character) {
		return Character.isLetterOrDigit(character);
	}

	/**
	 * Where the number that starts here ends, or -1 if there is none.
	 */
	private int endOf(int start) {
		if (!mayStartAt(start)) {
			return -1;
		}
		int longest = -1;
		int end = endOfFewDigits(start);
		if (isNumber(start, end)) {
			longest = end;
		}
		for (int[] groups : GROUPS) {
			end = endOfGroups(start, groups);
			if (end > longest && isNumber(start, end)) {
				longest = end;
			}
		}
		return longest;
	}

	private int endOfGroups(int start, int[] groups) {
		int position = start;
		int last = groups.length - 2;
		for (int i = 0; i <= last; i++) {
			int end = endOfFewDigits(position);
			int length = end - position;
			if (length < groups[i] || length > ((i < last) ? groups[i] : groups[i + 1])) {
				return -1;
			}
			position = (i < last) ? endOfSeparator(end) : end;
			if (position < 0) {
				return -1;
			}
		}
		return position;
	}

	private int endOfSeparator(int start) {
		int end = start;
		while (end < this.text.length() && end - start <= MAX_SEPARATOR && isSeparator(this.text.charAt(end))) {
			end++;
		}
		return (end > start && end - start <= MAX_SEPARATOR) ? end : -1;
	}

	private static boolean isSeparator(char character) {
		int type = Character.getType(character);
		return type == Character.SPACE_SEPARATOR || type == Character.FORMAT || type == Character.DASH_PUNCTUATION
				|| character == '\u2212';
	}

	private boolean isNumber(int start, int end) {
		int digits = 0;
		int sum = 0;
		for (int i = end - 1; i >= start; i--) {
			char character = this.text.charAt(i);
			if (isDigit(character)) {
				int digit = character - '0';
				int doubled = (digit < 5) ? 2 * digit : 2 * digit - 9;
				sum += (digits % 2 == 0) ? digit : doubled;
				if (++digits > MAX_DIGITS) {
					return false;
				}
			}
		}
		return digits >= MIN_DIGITS && sum % 10 == 0 && mayEndAt(end);
	}

}
