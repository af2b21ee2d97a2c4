package io.agenthooks.redact;

/**
 * A quick look at a text, before it is read as a value: whether there is anything in it
 * that patterns do not find where it stands. That is a name of secrets, a character that
 * is written as an escape, one that is invisible, or a long number. Most texts have
 * nothing of it, and to read them would take four times as long.
 */
final class Suspicion {

	/** Longer texts are rare, and would be searched twice if they are found out late. */
	private static final int MAX_LENGTH = 100_000;

	private static final int MIN_DIGITS = 13;

	private Suspicion() {
	}

	static boolean isIn(String text) {
		if (text.length() > MAX_LENGTH || text.contains("Opaque") || text.contains("kubernetes.io/")) {
			return true;
		}
		int digits = 0;
		boolean isLetter = false;
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			boolean isWord = isLetter;
			isLetter = isLetter(character);
			if (isWord && (!isLetter || (character <= 'Z' && text.charAt(i - 1) > 'Z'))
					&& SecretNames.mayTellAt(text, i)) {
				return true;
			}
			if (isLetter) {
				digits = (isExponent(text, i)) ? MIN_DIGITS : 0;
			}
			else if (character >= '0' && character <= '9') {
				boolean mayStart = digits > 0 || (character >= '2' && character <= '6');
				digits = (mayStart) ? digits + 1 : 0;
			}
			else if (character == '\\') {
				if (i + 1 == text.length() || "nr\"".indexOf(text.charAt(i + 1)) < 0) {
					return true;
				}
				i++;
				digits = 0;
			}
			else if (character > '~' && !isUsual(character)) {
				return true;
			}
			else if (" -.,".indexOf(character) < 0) {
				digits = 0;
			}
			if (digits >= MIN_DIGITS) {
				return true;
			}
		}
		return isLetter && SecretNames.mayTellAt(text, text.length());
	}

	/** Whether a letter makes a long number of a short one: 4.2E15. */
	private static boolean isExponent(String text, int position) {
		if ((text.charAt(position) | 0x20) != 'e' || position == 0 || !isDigit(text, position - 1)) {
			return false;
		}
		int digits = (position + 1 < text.length() && text.charAt(position + 1) == '+') ? position + 2 : position + 1;
		return isDigit(text, digits) && isDigit(text, digits + 1);
	}

	private static boolean isDigit(String text, int position) {
		return position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9';
	}

	private static boolean isLetter(char character) {
		return ((character | 0x20) >= 'a' && (character | 0x20) <= 'z')
				|| (character > 0x7F && Character.isLetter(character));
	}

	/**
	 * Whether a character is what it looks like: a letter of Latin, Greek, Cyrillic, or
	 * of East Asia, or a sign of usual texts.
	 */
	private static boolean isUsual(char character) {
		return (character >= 0xC0 && character < 0x17F) || (character >= 0x391 && character < 0x530)
				|| (character >= 0x3041 && character < 0xA000) || (character >= 0xAC00 && character < 0xD7A4)
				|| "\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2022\u2026\u20ac\u00a7\u00b0\u00b7"
					.indexOf(character) >= 0;
	}

}
