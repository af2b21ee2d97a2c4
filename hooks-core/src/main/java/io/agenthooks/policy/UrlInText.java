package io.agenthooks.policy;

/**
 * A URL among other words, of which the signs behind its scheme are found.
 */
final class UrlInText {

	private static final String SIGN = "://";

	/** Characters that end it. */
	private static final String ENDS = " \t\r\n\"'<>`)]}|";

	private UrlInText() {
	}

	/**
	 * The position behind it, with signs of the sentence.
	 */
	static int end(String text, int sign) {
		int end = sign + SIGN.length();
		while (end < text.length() && ENDS.indexOf(text.charAt(end)) < 0 && !WebAddress.isAnother(text, end)) {
			end++;
		}
		return end;
	}

	/**
	 * The URL, without signs of a sentence that goes on behind it.
	 */
	static String read(String text, int sign, int end) {
		int start = sign;
		while (start > 0 && HostCharacters.isOfScheme(text.charAt(start - 1)) && sign - start < UrlStart.MAX_SCHEME) {
			start--;
		}
		int last = end;
		while (last > start && ".,;:!?".indexOf(text.charAt(last - 1)) >= 0) {
			last--;
		}
		return text.substring(start, last);
	}

}
