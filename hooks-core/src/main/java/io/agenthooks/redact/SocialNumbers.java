package io.agenthooks.redact;

import java.util.function.BiConsumer;

/**
 * Finds social security numbers of the United States: three, two and four digits that are
 * grouped, of those that are given out.
 */
final class SocialNumbers {

	private static final int LENGTH = 11;

	private SocialNumbers() {
	}

	/**
	 * Find the numbers in a text.
	 * @param text the text
	 * @param hits gets the start and the end of each
	 */
	static void find(String text, BiConsumer<Integer, Integer> hits) {
		for (int i = 0; i + LENGTH <= text.length(); i++) {
			if (isAt(text, i)) {
				hits.accept(i, i + LENGTH);
				i += LENGTH - 1;
			}
		}
	}

	private static boolean isAt(String text, int start) {
		char sign = text.charAt(start + 3);
		if (sign != text.charAt(start + 6)
				|| !(sign == ' ' || sign == '\u00a0' || Character.getType(sign) == Character.DASH_PUNCTUATION)
				|| !isEdge(text, start)) {
			return false;
		}
		int area = digits(text, start, 3);
		int end = start + LENGTH;
		return area > 0 && area != 666 && area < 900 && digits(text, start + 4, 2) > 0 && digits(text, start + 7, 4) > 0
				&& (end == text.length() || !isPart(text, end));
	}

	private static boolean isEdge(String text, int start) {
		return start == 0 || Escapes.endsAt(text, start) || !isPart(text, start - 1);
	}

	private static boolean isPart(String text, int position) {
		char character = text.charAt(position);
		return Character.isLetterOrDigit(character) || character == '-' || character == '_';
	}

	/**
	 * The number that some digits make, or -1 if one is none.
	 */
	private static int digits(String text, int start, int count) {
		int number = 0;
		for (int i = start; i < start + count; i++) {
			char character = text.charAt(i);
			if (character < '0' || character > '9') {
				return -1;
			}
			number = 10 * number + character - '0';
		}
		return number;
	}

}
