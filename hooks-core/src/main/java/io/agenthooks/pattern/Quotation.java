package io.agenthooks.pattern;

/**
 * Writes quotations of patterns out, as Java does before it reads them: so they may stand
 * in brackets and before a quantifier.
 */
final class Quotation {

	private static final String START = "\\Q";

	private static final String END = "\\E";

	private Quotation() {
	}

	static String resolve(String pattern) {
		StringBuilder resolved = new StringBuilder();
		int position = 0;
		while (position < pattern.length()) {
			if (!pattern.startsWith(START, position)) {
				int next = Math.min(pattern.length(), position + ((pattern.charAt(position) == '\\') ? 2 : 1));
				resolved.append(pattern, position, next);
				position = next;
				continue;
			}
			int start = position + START.length();
			int end = pattern.indexOf(END, start);
			quote(pattern.substring(start, (end >= 0) ? end : pattern.length()), resolved);
			position = (end >= 0) ? end + END.length() : pattern.length();
		}
		return resolved.toString();
	}

	private static void quote(String text, StringBuilder resolved) {
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (i == 0 && isDigit(character)) {
				// It must not become part of an escape before it.
				resolved.append("\\x3").append(character);
				continue;
			}
			if (character < 0x80 && !isDigit(character) && !Character.isLetter(character)) {
				resolved.append('\\');
			}
			resolved.append(character);
		}
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

}
