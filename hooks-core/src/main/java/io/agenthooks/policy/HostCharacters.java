package io.agenthooks.policy;

/** The characters that hosts, URLs and the words around them are made of. */
final class HostCharacters {

	static final String QUOTES = "\"'`<>";

	private HostCharacters() {
	}

	static boolean isSlash(char character) {
		return character == '/' || character == '\\';
	}

	/** Whether a host, its port or its brackets may hold it. */
	static boolean isPart(char character) {
		return Character.isLetterOrDigit(character) || ".:-_%[]\u3002".indexOf(character) >= 0;
	}

	static boolean isOfScheme(char character) {
		return isLetter(character) || isDigit(character) || "+.-".indexOf(character) >= 0;
	}

	static boolean isOfName(char character) {
		return isOfScheme(character) || character == '_';
	}

	static boolean isLetter(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
	}

	static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

	static boolean endsWord(char character) {
		return character <= ' ' || ",;|)]}".indexOf(character) >= 0 || QUOTES.indexOf(character) >= 0;
	}

	/** A backslash before an {@code @} does not end it. */
	static boolean endsHost(String text, int position) {
		if (position >= text.length()) {
			return true;
		}
		char character = text.charAt(position);
		boolean isEscaped = character == '\\' && text.startsWith("@", position + 1);
		return character <= ' ' || "/?#\"'<>`|,;(){}".indexOf(character) >= 0 || (character == '\\' && !isEscaped);
	}

}
