package io.agenthooks.spring.suspend;

import java.util.HexFormat;
import java.util.Locale;

/**
 * Makes arguments a text in which a person sees every character that a tool would get.
 * What has no look of its own, or changes the look of others, is written by its number:
 * <code>&#92;u{202E}</code>. No argument can imitate that, because a backslash in JSON
 * stands there twice.
 *
 * @since 0.1.0
 */
public final class ShownArguments {

	private static final int TAB = 2;

	private static final int MAX_INDENTED = 10;

	private ShownArguments() {
	}

	/**
	 * The arguments, a line for each value.
	 * @param json arguments as canonical JSON
	 * @return the text
	 */
	public static String of(String json) {
		StringBuilder shown = new StringBuilder(json.length() * 2);
		boolean text = false;
		int depth = 0;
		for (int i = 0; i < json.length();) {
			int character = json.codePointAt(i);
			int next = i + Character.charCount(character);
			if (text && character == '\\' && next < json.length()) {
				shown.append('\\').append(json.charAt(next));
				next++;
			}
			else if (character == '"') {
				text = !text;
				shown.append('"');
			}
			else if (text) {
				append(shown, character);
			}
			else if (character == '{' || character == '[') {
				shown.append((char) character);
				if (next < json.length() && isEnd(json.charAt(next))) {
					shown.append(json.charAt(next));
					next++;
				}
				else {
					depth++;
					newLine(shown, depth);
				}
			}
			else if (isEnd(character)) {
				depth--;
				newLine(shown, depth);
				shown.append((char) character);
			}
			else if (character == ',') {
				shown.append(',');
				newLine(shown, depth);
			}
			else if (character == ':') {
				shown.append(": ");
			}
			else {
				append(shown, character);
			}
			i = next;
		}
		return shown.toString();
	}

	/**
	 * A text in one line, such as the name of a user.
	 * @param text the text
	 * @return the line
	 */
	public static String line(String text) {
		StringBuilder shown = new StringBuilder(text.length());
		text.codePoints().forEach((character) -> append(shown, character));
		return shown.toString();
	}

	private static boolean isEnd(int character) {
		return character == '}' || character == ']';
	}

	/**
	 * Deep values are indented no further: the text would become a hundred times as long.
	 */
	private static void newLine(StringBuilder shown, int depth) {
		shown.append('\n').append(" ".repeat(Math.min(Math.max(0, depth), MAX_INDENTED) * TAB));
	}

	private static void append(StringBuilder shown, int character) {
		if (isVisible(character)) {
			shown.appendCodePoint(character);
		}
		else {
			shown.append("\\u{")
				.append(HexFormat.of().toHexDigits(character, (character > 0xFFFF) ? 6 : 4).toUpperCase(Locale.ROOT))
				.append('}');
		}
	}

	private static boolean isVisible(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				false;
			case Character.SPACE_SEPARATOR -> character == ' ';
			default -> !isBlank(character);
		};
	}

	/**
	 * Characters of other types that nevertheless show nothing: Hangul fillers, Khmer
	 * vowels, variation selectors, the empty Braille pattern, and the joiner of
	 * graphemes.
	 */
	private static boolean isBlank(int character) {
		return switch (character) {
			case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0 -> true;
			default -> (character >= 0x180B && character <= 0x180F) || (character >= 0xFE00 && character <= 0xFE0F)
					|| (character >= 0xE0000 && character <= 0xE0FFF);
		};
	}

}
