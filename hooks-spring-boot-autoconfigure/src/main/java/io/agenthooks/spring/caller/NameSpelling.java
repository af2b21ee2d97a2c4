package io.agenthooks.spring.caller;

import java.text.Normalizer;
import java.util.Locale;

import io.agenthooks.toolcall.ToolNames;

/**
 * The different ways to write one name. Some logins take them all for the same one, as
 * LDAP does, and give the application the name as it was typed.
 */
public final class NameSpelling {

	private NameSpelling() {
	}

	/**
	 * The form that all spellings of a text have in common: without case, Unicode's other
	 * forms (NFKC), invisible characters, and blanks that say nothing.
	 * @param text the text
	 * @return the form, which is empty if nothing is to be seen
	 */
	public static String plain(String text) {
		String normal = visible(Normalizer.normalize(text, Normalizer.Form.NFKC));
		// First to lower case: the capital sharp s is none of upper case of the small
		// one.
		String folded = normal.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
		return Normalizer.normalize(folded, Normalizer.Form.NFKC);
	}

	private static String visible(String text) {
		StringBuilder visible = new StringBuilder(text.length());
		boolean blank = false;
		for (int i = 0; i < text.length();) {
			int character = text.codePointAt(i);
			i += Character.charCount(character);
			if (Character.isWhitespace(character) || Character.isSpaceChar(character)) {
				blank = true;
			}
			else if (!Character.isISOControl(character) && !ToolNames.isInvisible(character)) {
				if (blank && !visible.isEmpty()) {
					visible.append(' ');
				}
				visible.appendCodePoint(character);
				blank = false;
			}
		}
		return visible.toString();
	}

}
