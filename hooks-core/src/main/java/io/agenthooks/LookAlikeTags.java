package io.agenthooks;

import java.text.Normalizer;

/**
 * Finds what a model could take for a tag of {@link AdditionalContext}. Between a bracket
 * and the name, and in the name, whatever is neither a letter nor a digit counts as
 * nothing. A search never passes the next bracket, so all of them together take linear
 * time.
 */
final class LookAlikeTags {

	private static final String NAME = "additionalcontext";

	/** Characters that open a tag, or look like one that does. */
	private static final String BRACKETS = "<\uff1c\ufe64\u2039\u3008\u2329\u27e8"
			+ "\u276e\u276c\u2770\u02c2\u1438\u227a\u29fc";

	/** Letters of other scripts, with the Latin ones that they look like. */
	private static final String LOOK_ALIKES = "\u0430a\u0251a\u03b1a\u0501d\u0257d\u0456i\u0131i\u03b9i\u0269i\u0442t"
			+ "\u03c4t\u043eo\u03bfo\u05e1o\u0585o\u03c3o\u043fn\u03b7n\u0578n\u057cn\u04cfl\u01c0l\u0441c\u03f2c\u1d04c"
			+ "\u0435e\u03b5e\u04bde\u0445x\u03c7x\u1d00a\u1d05d\u026ai\u1d1bt\u1d0fo\u0274n\u029fl\u1d07e";

	private LookAlikeTags() {
	}

	static String neutralize(String text) {
		StringBuilder result = null;
		int copied = 0;
		for (int i = 0; i < text.length(); i++) {
			if (isBracket(text.charAt(i)) && isTag(text, i + 1)) {
				result = (result != null) ? result : new StringBuilder(text.length() + 16);
				result.append(text, copied, i).append("&lt;");
				copied = i + 1;
			}
		}
		return (result != null) ? result.append(text, copied, text.length()).toString() : text;
	}

	static String withoutBrackets(String text) {
		return text.replaceAll("[" + BRACKETS + "]", "&lt;");
	}

	private static boolean isBracket(char character) {
		return character == '<' || (character >= '\u02c2' && BRACKETS.indexOf(character) >= 0);
	}

	private static boolean isTag(String text, int start) {
		int matched = 0;
		int codePoint;
		for (int i = start; i < text.length(); i += Character.charCount(codePoint)) {
			codePoint = text.codePointAt(i);
			if (codePoint < 0x80) {
				if (codePoint == '<' || codePoint == '>') {
					return false;
				}
				if (Character.isLetterOrDigit(codePoint)
						&& (!isLikeLatin(codePoint, NAME.charAt(matched)) || ++matched == NAME.length())) {
					return matched == NAME.length();
				}
				continue;
			}
			if (isBracket((char) codePoint) && codePoint <= Character.MAX_VALUE) {
				return false;
			}
			for (char part : lettersOf(codePoint)) {
				if (!isLike(part, NAME.charAt(matched)) || ++matched == NAME.length()) {
					return matched == NAME.length();
				}
			}
		}
		return false;
	}

	/** None of an invisible character, several of a ligature. */
	private static char[] lettersOf(int codePoint) {
		boolean filler = codePoint == 0x115f || codePoint == 0x1160 || codePoint == 0x3164 || codePoint == 0xffa0;
		if (filler || Character.getType(codePoint) == Character.UNASSIGNED) {
			return new char[0];
		}
		String plain = Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFKD);
		StringBuilder letters = new StringBuilder();
		plain.codePoints()
			.filter(Character::isLetterOrDigit)
			.forEach((letter) -> letters.append((letter <= Character.MAX_VALUE) ? (char) letter : '\ufffd'));
		return letters.toString().toCharArray();
	}

	private static boolean isLikeLatin(int character, char expected) {
		return Character.toLowerCase(character) == expected || switch (expected) {
			case 'o' -> character == '0';
			case 'l' -> character == 'I' || character == '1';
			case 'i' -> character == 'l' || character == '1';
			default -> false;
		};
	}

	private static boolean isLike(int character, char expected) {
		int lower = Character.toLowerCase(character);
		if (isLikeLatin(character, expected)) {
			return true;
		}
		for (int i = 0; i < LOOK_ALIKES.length(); i += 2) {
			if (LOOK_ALIKES.charAt(i) == lower && LOOK_ALIKES.charAt(i + 1) == expected) {
				return true;
			}
		}
		return false;
	}

}
