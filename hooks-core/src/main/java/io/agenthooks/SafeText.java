package io.agenthooks;

/**
 * Makes text of unknown origin safe to show: to a model, in a log, on a page. Such text
 * may hold line breaks that fake a log entry, terminal escapes, or characters that change
 * the direction of writing.
 *
 * @since 0.1.0
 */
public final class SafeText {

	/** The most bytes (UTF-8) that a reason may have. */
	public static final int MAX_REASON_BYTES = 1024;

	/** The most characters that {@linkplain #paragraphs paragraphs} may have. */
	public static final int MAX_PARAGRAPH_CHARACTERS = 10_000;

	private static final int MAX_NAME_BYTES = 256;

	private static final String ELLIPSIS = "...";

	private SafeText() {
	}

	/**
	 * One bounded line for a reason: control and format characters become spaces, runs of
	 * white space become one space, and what is over {@link #MAX_REASON_BYTES} is cut.
	 * @param text the text
	 * @return the line
	 */
	public static String reason(String text) {
		return oneLine(text, MAX_REASON_BYTES);
	}

	/**
	 * One bounded line for a name that a model or a client chose, such as that of a tool.
	 * @param text the name
	 * @return the line
	 */
	public static String name(String text) {
		return oneLine(text, MAX_NAME_BYTES);
	}

	/**
	 * Bounded text that may have several lines: control and format characters other than
	 * line breaks and tabs become spaces, and what is over
	 * {@link #MAX_PARAGRAPH_CHARACTERS} is cut.
	 * @param text the text
	 * @return the text without blank ends
	 */
	public static String paragraphs(String text) {
		StringBuilder safe = new StringBuilder(Math.min(text.length(), MAX_PARAGRAPH_CHARACTERS));
		text.strip()
			.codePoints()
			.limit(MAX_PARAGRAPH_CHARACTERS + 1L)
			.forEach((codePoint) -> safe
				.appendCodePoint((codePoint == '\n' || codePoint == '\t' || isVisible(codePoint)) ? codePoint : ' '));
		if (safe.length() > MAX_PARAGRAPH_CHARACTERS) {
			int cut = MAX_PARAGRAPH_CHARACTERS - ELLIPSIS.length();
			safe.setLength((Character.isHighSurrogate(safe.charAt(cut - 1))) ? cut - 1 : cut);
			safe.append(ELLIPSIS);
		}
		return safe.toString().strip();
	}

	private static String oneLine(String text, int maxBytes) {
		StringBuilder line = new StringBuilder(Math.min(text.length(), maxBytes));
		int bytes = 0;
		int cut = 0;
		boolean pendingSpace = false;
		for (int i = 0; i < text.length();) {
			int codePoint = text.codePointAt(i);
			i += Character.charCount(codePoint);
			if (!isVisible(codePoint)) {
				pendingSpace = !line.isEmpty();
				continue;
			}
			bytes += utf8Length(codePoint) + ((pendingSpace) ? 1 : 0);
			if (bytes > maxBytes) {
				line.setLength(cut);
				return line.append(ELLIPSIS).toString();
			}
			if (pendingSpace) {
				line.append(' ');
				pendingSpace = false;
			}
			line.appendCodePoint(codePoint);
			if (bytes <= maxBytes - ELLIPSIS.length()) {
				cut = line.length();
			}
		}
		return line.toString();
	}

	private static boolean isVisible(int codePoint) {
		return switch (Character.getType(codePoint)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
					Character.PARAGRAPH_SEPARATOR, Character.SPACE_SEPARATOR ->
				false;
			default -> true;
		};
	}

	private static int utf8Length(int codePoint) {
		if (codePoint < 0x80) {
			return 1;
		}
		if (codePoint < 0x800) {
			return 2;
		}
		return (codePoint < 0x10000) ? 3 : 4;
	}

}
