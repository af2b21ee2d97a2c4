package io.agenthooks.toolcall;

import java.text.Normalizer;

import org.jspecify.annotations.Nullable;

/**
 * Distinguishes valid tool names from those that only look alike, so that another
 * spelling of a name cannot evade a rule.
 *
 * @since 0.1.0
 */
public final class ToolNames {

	/** In code points. */
	public static final int MAX_LENGTH = 256;

	private ToolNames() {
	}

	/**
	 * Say why no tool can have a name: it is empty or too long, has blanks at an end or
	 * two in a row, other white space, something invisible, or a character that stands
	 * for another one, such as a full-width letter.
	 * @param name the name
	 * @return what it holds, in words that follow "the name", or {@code null} if a tool
	 * can have it
	 */
	public static @Nullable String problem(String name) {
		if (name.isEmpty()) {
			return "is empty";
		}
		if (isTooLong(name)) {
			return "is longer than %d characters".formatted(MAX_LENGTH);
		}
		if (name.charAt(0) == ' ' || name.charAt(name.length() - 1) == ' ') {
			return "begins or ends with a blank";
		}
		if (name.contains("  ")) {
			return "holds two blanks in a row";
		}
		if (!name.codePoints().allMatch((character) -> character == ' ' || isUsual(character))) {
			return "holds white space, a control character or something invisible";
		}
		return (Normalizer.isNormalized(name, Normalizer.Form.NFKC)) ? null
				: "holds a character that stands for another one, such as a full-width letter";
	}

	/**
	 * Whether a name is not empty, not too long, and holds neither white space nor
	 * control characters nor anything invisible.
	 * @param name the name
	 * @return whether a policy takes it as a name
	 */
	public static boolean isUsual(String name) {
		return !name.isEmpty() && !isTooLong(name) && name.codePoints().allMatch((character) -> isUsual(character));
	}

	private static boolean isTooLong(String name) {
		return name.length() > 2 * MAX_LENGTH || name.codePointCount(0, name.length()) > MAX_LENGTH;
	}

	private static boolean isUsual(int character) {
		return character > ' ' && !Character.isISOControl(character) && !Character.isSpaceChar(character)
				&& Character.getType(character) != Character.SURROGATE && !isInvisible(character);
	}

	/**
	 * Whether a character is a format character (Cf) or otherwise never seen.
	 * @param character the code point
	 * @return whether nobody sees it
	 */
	public static boolean isInvisible(int character) {
		return Character.getType(character) == Character.FORMAT || isFiller(character);
	}

	/**
	 * Whether a character is invisible in Unicode ({@code Default_Ignorable_Code_Point})
	 * without being a format character.
	 */
	private static boolean isFiller(int character) {
		return character >= 0x034F && (character == 0x034F || isWithin(character, 0x115F, 0x1160)
				|| isWithin(character, 0x17B4, 0x17B5) || isWithin(character, 0x180B, 0x180F) || character == 0x2065
				|| character == 0x3164 || isWithin(character, 0xFE00, 0xFE0F) || character == 0xFFA0
				|| isWithin(character, 0xFFF0, 0xFFF8) || isWithin(character, 0xE0000, 0xE0FFF));
	}

	private static boolean isWithin(int character, int first, int last) {
		return first <= character && character <= last;
	}

}
