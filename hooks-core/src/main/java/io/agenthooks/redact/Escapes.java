package io.agenthooks.redact;

/**
 * Tells letters that belong to an escape, such as the {@code n} of {@code \n} in JSON,
 * from those of a word.
 */
final class Escapes {

	/** As in <code>&#92;u0022</code>. */
	private static final int UNICODE_LENGTH = 6;

	/** As in {@code %22}. */
	private static final int PERCENT_LENGTH = 3;

	private Escapes() {
	}

	static boolean endsAt(String text, int position) {
		return (position >= 2 && "nrtbf".indexOf(text.charAt(position - 1)) >= 0 && isBackslash(text, position - 2))
				|| (position >= UNICODE_LENGTH && text.charAt(position - UNICODE_LENGTH + 1) == 'u'
						&& isBackslash(text, position - UNICODE_LENGTH))
				|| (position >= PERCENT_LENGTH && text.charAt(position - PERCENT_LENGTH) == '%');
	}

	/** Where a part of a text starts if it must not start within an escape. */
	static int startOf(String text, int start, int end) {
		if (start == 0 || "nrtbfu".indexOf(text.charAt(start)) < 0 || !isBackslash(text, start - 1)) {
			return start;
		}
		int length = (text.charAt(start) == 'u') ? UNICODE_LENGTH - 1 : 1;
		return (start + length < end) ? start + length : start;
	}

	private static boolean isBackslash(String text, int position) {
		int first = position;
		// One that is preceded by very many may be taken for the wrong thing.
		while (first >= 0 && position - first < 64 && text.charAt(first) == '\\') {
			first--;
		}
		return (position - first) % 2 == 1;
	}

}
