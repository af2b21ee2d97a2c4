package io.agenthooks.redact;

import java.util.Locale;
import java.util.Set;

/**
 * Tells what only looks like something to hide.
 */
@FunctionalInterface
interface Harmless {

	/** What stands for no value, or says of which type one is. */
	Set<String> WORDS = Set.of("null", "none", "nil", "undefined", "true", "false", "string", "str", "bool", "boolean",
			"int", "integer", "number", "required", "optional", "inherit");

	/** Files whose names may look like addresses: icon@2x.png. */
	Set<String> FILE_TYPES = Set.of("png", "jpg", "jpeg", "gif", "svg", "webp", "js", "mjs", "cjs", "ts", "css", "map",
			"json", "html", "xml", "yaml", "yml", "java", "py", "so", "jar");

	/** How often a character has to stand there to stand for nothing. */
	int MIN_PLACEHOLDER = 3;

	/** How far back to look. */
	int REACH = 200;

	/**
	 * Whether a part of a text need not be hidden.
	 */
	boolean test(String text, int start, int end);

	/**
	 * Whether there is no secret, but what stands for one.
	 */
	static boolean placeholder(String text, int start, int end) {
		char first = text.charAt(start);
		char last = text.charAt(end - 1);
		return ((last == '}' || last == ')') && isEither(text, start, "${", "$(", "#{", "%{", "{{"))
				|| (first == '<' && last == '>') || isOneCharacter(text, start, end);
	}

	private static boolean isEither(String text, int start, String... beginnings) {
		for (String beginning : beginnings) {
			if (text.startsWith(beginning, start)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isOneCharacter(String text, int start, int end) {
		char first = text.charAt(start);
		if (end - start < MIN_PLACEHOLDER || "*.xX-_#?\u2022\u2026".indexOf(first) < 0) {
			return false;
		}
		for (int i = start + 1; i < end; i++) {
			if (text.charAt(i) != first) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Whether the value of what is named like a password is none.
	 */
	static boolean text(String text, int start, int end) {
		return placeholder(text, start, end) || isHarmlessToken(text, start);
	}

	/**
	 * Whether a value without quotes, of what is named like a password, is none.
	 */
	static boolean word(String text, int start, int end) {
		int last = end;
		while (last > start && ",;)}]".indexOf(text.charAt(last - 1)) >= 0) {
			last--;
		}
		return "[{(<".indexOf(text.charAt(start)) >= 0 || text(text, start, end)
				|| (last - start <= 9 && WORDS.contains(text.substring(start, last).toLowerCase(Locale.ROOT)))
				|| isInvocation(text, start, end) || isUserOfUrl(text, start) || isWorkingDirectory(text, start);
	}

	/**
	 * Whether what stands behind a bare name, in a line, is no secret.
	 */
	static boolean named(String text, int start, int end) {
		return word(text, start, end) || Prose.follows(text, start) || Code.assigns(text, start, end);
	}

	/**
	 * Whether this is what a shell calls {@code PWD}: not a password, but where it is.
	 */
	private static boolean isWorkingDirectory(String text, int start) {
		boolean named = text.startsWith("OLDPWD=", start - 7)
				|| (text.startsWith("PWD=", start - 4) && (start == 4 || !isInName(text.charAt(start - 5))));
		return named && text.charAt(start) == '/';
	}

	/**
	 * Whether code stands where a value is expected: {@code password = reader.next();}.
	 */
	private static boolean isInvocation(String text, int start, int end) {
		int position = start;
		while (position < end
				&& (Character.isJavaIdentifierPart(text.charAt(position)) || text.charAt(position) == '.')) {
			position++;
		}
		if (position == start || position == end || text.charAt(position) != '('
				|| !Character.isJavaIdentifierStart(text.charAt(start))) {
			return false;
		}
		char last = text.charAt(end - 1);
		return last == ')' || last == ';' || last == '(' || last == '{';
	}

	private static boolean isHarmlessToken(String text, int start) {
		int end = start;
		while (end > 0 && start - end < REACH && !Character.isLetterOrDigit(text.charAt(end - 1))) {
			end--;
		}
		int begin = end;
		while (begin > 0 && end - begin < REACH && isInName(text.charAt(begin - 1))) {
			begin--;
		}
		return SecretNames.isHarmlessToken(text.substring(begin, end));
	}

	private static boolean isInName(char character) {
		return Character.isLetterOrDigit(character) || character == '_' || character == '-';
	}

	/**
	 * Whether what looks like an address is a file, or says who logs on to a host.
	 */
	static boolean address(String text, int start, int end) {
		int type = text.lastIndexOf('.', end - 1) + 1;
		return FILE_TYPES.contains(text.substring(type, end).toLowerCase(Locale.ROOT)) || text.startsWith("git@", start)
				|| isUserOfUrl(text, start);
	}

	private static boolean isUserOfUrl(String text, int start) {
		for (int i = start - 1; i > 0 && start - i <= REACH; i--) {
			char character = text.charAt(i);
			if (character == '/') {
				return text.startsWith("://", i - 2);
			}
			if (Character.isWhitespace(character) || "?#\"'<>,;".indexOf(character) >= 0) {
				return false;
			}
		}
		return false;
	}

}
