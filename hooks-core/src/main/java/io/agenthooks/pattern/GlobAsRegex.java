package io.agenthooks.pattern;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import org.jspecify.annotations.Nullable;

/**
 * Writes a glob as a regular expression, to advise about one that stands where a regular
 * expression belongs.
 *
 * @since 0.1.0
 */
public final class GlobAsRegex {

	private static final Pattern BRACES = Pattern.compile(".*\\{[^{}]*[^{}\\d,][^{}]*\\}.*", Pattern.DOTALL);

	/** Signs of a regular expression that no glob has. */
	private static final Pattern REGEX = Pattern.compile("[\\\\|(]|\\.[*+]|\\[\\^|[^ ]\\+|\\$$|\\][*+?{]");

	private static final int MAX_LENGTH = 1_000;

	private final String glob;

	private final StringBuilder regex = new StringBuilder();

	private GlobAsRegex(String glob) {
		this.glob = glob;
	}

	/**
	 * The regular expression that is meant by a glob.
	 * @param glob a text that may be a glob
	 * @return a pattern that can be used, or {@code null} if the text is a valid regular
	 * expression itself or no glob
	 */
	public static @Nullable String translate(String glob) {
		if (glob.length() > MAX_LENGTH || isRegex(glob)
				|| !(glob.contains("*") || glob.contains("?") || BRACES.matcher(glob).matches())) {
			return null;
		}
		String rest = glob.replaceFirst("^[*?]+", "");
		String start = glob.substring(0, glob.length() - rest.length());
		String regex = (REGEX.matcher(rest).find()) ? new GlobAsRegex(start).translate() + rest
				: new GlobAsRegex(glob).translate();
		try {
			new PatternReader().read(regex);
			return regex;
		}
		catch (UnusablePatternException ex) {
			return null;
		}
	}

	private static boolean isRegex(String text) {
		try {
			Pattern.compile(text);
			return true;
		}
		catch (PatternSyntaxException ex) {
			return false;
		}
		catch (StackOverflowError ex) {
			return true;
		}
	}

	private String translate() {
		int braces = 0;
		for (int i = 0; i < this.glob.length(); i++) {
			char character = this.glob.charAt(i);
			int end = (character == '[') ? this.glob.indexOf(']', i + 2) : -1;
			if (end > 0) {
				String inside = this.glob.substring(i + 1, end);
				this.regex.append('[')
					.append((inside.startsWith("!")) ? "^" + inside.substring(1) : inside)
					.append(']');
				i = end;
			}
			else if (character == '*') {
				if (!this.regex.toString().endsWith(".*")) {
					this.regex.append(".*");
				}
			}
			else if (character == '?') {
				this.regex.append('.');
			}
			else if (character == '{' && this.glob.substring(i).matches("(?s)\\{[^{}]*[^{}\\d,][^{}]*\\}.*")) {
				this.regex.append("(?:");
				braces++;
			}
			else if (character == '}' && braces > 0) {
				this.regex.append(')');
				braces--;
			}
			else if (character == ',' && braces > 0) {
				this.regex.append('|');
			}
			else {
				appendPlain(character);
			}
		}
		return this.regex.toString();
	}

	/**
	 * In brackets where that can be: in YAML, a backslash means something else between
	 * double quotes.
	 */
	private void appendPlain(char character) {
		if ("(){}.+$|".indexOf(character) >= 0) {
			this.regex.append('[').append(character).append(']');
		}
		else {
			this.regex.append(("\\[]^".indexOf(character) >= 0) ? "\\" : "").append(character);
		}
	}

}
