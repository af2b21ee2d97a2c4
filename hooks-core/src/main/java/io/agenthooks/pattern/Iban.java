package io.agenthooks.pattern;

/**
 * Numbers of bank accounts, with their check digits.
 *
 * @since 0.1.0
 */
public final class Iban {

	/** The most characters that one has. */
	public static final int MAX_LENGTH = 34;

	private static final int MIN_LENGTH = 15;

	private Iban() {
	}

	/**
	 * Whether a number may begin with a token: with a country and two check digits.
	 * @param token the token, of letters and digits of ASCII
	 * @return whether it may
	 */
	public static boolean mayBegin(CharSequence token) {
		for (int i = 0; i < token.length(); i++) {
			char character = token.charAt(i);
			boolean isDigit = character >= '0' && character <= '9';
			boolean isLetter = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
			if ((i < 2 && !isLetter) || (i >= 2 && i < 4 && !isDigit) || !(isLetter || isDigit)) {
				return false;
			}
		}
		return token.length() >= 4;
	}

	/**
	 * Whether a text without blanks is the number of a bank account.
	 * @param text the text
	 * @return whether its check digits are right
	 */
	public static boolean isValid(CharSequence text) {
		int length = text.length();
		if (length < MIN_LENGTH || length > MAX_LENGTH || !mayBegin(text)) {
			return false;
		}
		int rest = 0;
		for (int i = 0; i < length; i++) {
			int digit = Character.digit(text.charAt((i + 4) % length), 36);
			rest = (rest * ((digit > 9) ? 100 : 10) + digit) % 97;
		}
		return rest == 1;
	}

}
