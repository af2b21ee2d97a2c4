package io.agenthooks.spring.approval;

import io.agenthooks.spring.suspend.ShownArguments;

/**
 * Writes texts of others, each in a code span, where Slack formats nothing. It can hold
 * neither the end of one nor a character that Slack reads otherwise.
 */
final class SlackText {

	/** The most characters of the text of a section, as Slack counts them. */
	static final int MAX_SECTION = 3_000;

	private static final String CUT = "...";

	private static final String FENCE = "```";

	private SlackText() {
	}

	static String code(String text, int max) {
		String escaped = escaped(ShownArguments.line(text), max - 2);
		return (escaped.isBlank()) ? "` `" : "`" + escaped + "`";
	}

	static String block(String shown, int max) {
		return FENCE + "\n" + escaped(shown, max - 2 * FENCE.length() - 2) + "\n" + FENCE;
	}

	/** Cut before a character that would be cut in two. */
	private static String escaped(String text, int max) {
		StringBuilder escaped = new StringBuilder(Math.min(text.length(), max));
		int end = 0;
		for (int i = 0; i < text.length();) {
			int character = text.codePointAt(i);
			i += Character.charCount(character);
			String piece = escaped(character);
			if (escaped.length() + piece.length() > max) {
				escaped.setLength(end);
				return escaped.append(CUT).toString();
			}
			escaped.append(piece);
			if (escaped.length() <= max - CUT.length()) {
				end = escaped.length();
			}
		}
		return escaped.toString();
	}

	private static String escaped(int character) {
		return switch (character) {
			case '&' -> "&amp;";
			case '<' -> "&lt;";
			case '>' -> "&gt;";
			case '`' -> "\\u{0060}";
			default -> Character.toString(character);
		};
	}

}
