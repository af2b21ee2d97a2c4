package io.agenthooks.redact;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells what only looks like something to hide. */
@FunctionalInterface
interface Harmless {

	/** Words for no value, or for the type of one. */
	Set<String> WORDS = Set.of("null", "none", "nil", "undefined", "true", "false", "string", "str", "bool", "boolean",
			"int", "integer", "number", "required", "optional", "inherit", "n/a", "ok", "enabled", "disabled", "set",
			"unset", "valid", "invalid", "expired", "present", "absent", "missing", "write", "read", "done", "passed",
			"yes", "no", "failed", "skipped", "?", "%s", "$1", "$2", "$3");

	/** Texts that others leave where a secret was. */
	Set<String> REMOVED = Set.of("redacted", "filtered", "masked", "hidden", "sanitized", "sensitive");

	/** Files whose names may look like addresses: icon@2x.png. */
	Set<String> FILE_TYPES = Set.of("png", "jpg", "jpeg", "gif", "svg", "webp", "js", "mjs", "cjs", "ts", "css", "map",
			"json", "html", "xml", "yaml", "yml", "java", "py", "so", "jar");

	/** How often a character has to stand there to stand for nothing. */
	int MIN_PLACEHOLDER = 3;

	/** Code that calls something, up to its arguments: await client.login(user). */
	Pattern INVOCATION = Pattern.compile("(?:(?:await|new|yield|try|async)[ \\t]++)*+[A-Za-z_$][\\w$]*+"
			+ "(?:(?:\\.|::|->|\\?\\.)[A-Za-z_$][\\w$]*+)*+\\(");

	/** Signs behind the arguments of code. */
	Pattern BEHIND_ARGUMENTS = Pattern.compile("$|[;,)\\]} ]|[?!]?\\.[A-Za-z_$]|[?!][;,)]");

	int MAX_PLACEHOLDER = 40;

	int REACH = 200;

	boolean test(String text, int start, int end);

	static boolean placeholder(String text, int start, int end) {
		char first = text.charAt(start);
		char last = text.charAt(end - 1);
		return ((last == '}' || last == ')') && isEither(text, start, "${", "$(", "#{", "%{", "{{"))
				|| (first == '<' && last == '>') || isOneCharacter(text, start, end) || isVariable(text, start, end)
				|| isRemoved(text, start, end);
	}

	/** Whether this is a variable of a shell: $DB_PASSWORD, %TOKEN%. */
	private static boolean isVariable(String text, int start, int end) {
		char first = text.charAt(start);
		int last = (first == '%') ? end - 1 : end;
		if ((first != '$' && first != '%') || last - start < 4 || (first == '%' && text.charAt(last) != '%')) {
			return false;
		}
		for (int i = start + 1; i < last; i++) {
			char character = text.charAt(i);
			if ((character < 'A' || character > 'Z') && character != '_') {
				return false;
			}
		}
		return true;
	}

	/** Whether another one took the secret out, or a reader has to put it in. */
	private static boolean isRemoved(String text, int start, int end) {
		if (end - start > MAX_PLACEHOLDER) {
			return false;
		}
		String word = text.substring(start, end).toLowerCase(Locale.ROOT);
		boolean isInBrackets = word.length() > 2 && "[({".indexOf(word.charAt(0)) >= 0
				&& "])}".indexOf(word.charAt(word.length() - 1)) >= 0;
		boolean isYours = word.startsWith("your") && word.length() > 5 && "-_ ".indexOf(word.charAt(4)) >= 0
				&& word.chars().noneMatch(Character::isDigit);
		return isYours || REMOVED.contains((isInBrackets) ? word.substring(1, word.length() - 1) : word);
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

	/** Whether the value of what is named like a password is none. */
	static boolean text(String text, int start, int end) {
		return placeholder(text, start, end) || isHarmlessToken(text, start);
	}

	/**
	 * Whether what stands behind a quote is no value, but what follows one:
	 * {@code read -p "Password: " PASSWORD}.
	 */
	static boolean quoted(String text, int start, int end) {
		boolean isOpen = end == text.length() || "\"'".indexOf(text.charAt(end)) < 0;
		return text(text, start, end) || (isOpen && " ,;)".indexOf(text.charAt(start)) >= 0);
	}

	/** Whether a value without quotes, of what is named like a password, is none. */
	static boolean word(String text, int start, int end) {
		int last = end;
		while (last > start && ",;)}]".indexOf(text.charAt(last - 1)) >= 0) {
			last--;
		}
		return "[{(<".indexOf(text.charAt(start)) >= 0 || text(text, start, end)
				|| (last - start <= 9 && WORDS.contains(text.substring(start, last).toLowerCase(Locale.ROOT)))
				|| isInvocation(text, start) || isUserOfUrl(text, start) || isWorkingDirectory(text, start)
				|| text.startsWith("$(", start) || isPlaceOrScope(text, start, last) || Prose.explains(text, start)
				|| isMetaVariable(text, start, end);
	}

	/**
	 * Whether a name is followed by what is no value: the line of a file
	 * ({@code lib/token:12}), a part of a name ({@code token::parse}), or the end of one
	 * of AWS.
	 */
	private static boolean isPlaceOrScope(String text, int start, int end) {
		if (start == 0 || text.charAt(start - 1) != ':') {
			return false;
		}
		if (text.charAt(start) == ':') {
			return start + 1 == end || (start + 1 < end && Character.isLetter(text.charAt(start + 1))
					&& text.substring(start, end).chars().noneMatch(Character::isDigit));
		}
		int name = start;
		while (name > 0 && start - name < REACH && !Character.isWhitespace(text.charAt(name - 1))
				&& "\"'".indexOf(text.charAt(name - 1)) < 0) {
			name--;
		}
		if (text.startsWith("arn:", name)) {
			return true;
		}
		int digits = start;
		while (digits < text.length() && digits - start < 6 && Character.isDigit(text.charAt(digits))) {
			digits++;
		}
		boolean isLine = digits > start && digits - start < 6 && digits < text.length()
				&& ": ,)".indexOf(text.charAt(digits)) >= 0;
		String place = text.substring(name, start);
		return isLine
				&& (place.indexOf('/') >= 0 || (place.indexOf('.') > 0 && Character.isUpperCase(place.charAt(0))));
	}

	/** Whether an option is shown with what it takes: --db-password PASSWORD. */
	private static boolean isMetaVariable(String text, int start, int end) {
		int last = end;
		while (last > start && "])".indexOf(text.charAt(last - 1)) >= 0) {
			last--;
		}
		int name = start - 1;
		while (name > 0 && start - name < REACH && (isInName(text.charAt(name - 1)))) {
			name--;
		}
		if (name < 0 || start - name < 3 || !text.startsWith("--", name)) {
			return false;
		}
		String value = text.substring(start, last);
		String option = text.substring(name + 2, start - 1).replace('-', '_').toUpperCase(Locale.ROOT);
		boolean isNamed = value.length() > 2 && value.equals(value.toUpperCase(Locale.ROOT))
				&& option.endsWith(value.replace('-', '_'));
		return isNamed || value.equals("stringArray") || value.equals("strings");
	}

	/** Whether what stands behind a bare name, in a line, is no secret. */
	static boolean named(String text, int start, int end) {
		return isNumberOf(text, start, end) || word(text, start, end) || Prose.follows(text, start)
				|| Code.assigns(text, start, end);
	}

	/** Whether a number says how many there are: {@code tokens=512}. */
	private static boolean isNumberOf(String text, int start, int end) {
		int name = start - 1;
		while (name > 0 && start - name < REACH && " \t:=".indexOf(text.charAt(name)) >= 0) {
			name--;
		}
		// DB_PASS is one.
		return name > 0 && (text.charAt(name) | 0x20) == 's' && (text.charAt(name - 1) | 0x20) != 's'
				&& text.substring(start, end)
					.chars()
					.allMatch((sign) -> Character.isDigit(sign) || ",.".indexOf(sign) >= 0);
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
	private static boolean isInvocation(String text, int start) {
		String rest = Prose.restOfLine(text, start);
		Matcher invocation = INVOCATION.matcher(rest);
		if (!invocation.lookingAt()) {
			return false;
		}
		int position = invocation.end();
		for (int depth = 1; depth > 0 && position < rest.length(); position++) {
			char character = rest.charAt(position);
			if (character == '"' || character == '\'') {
				position = Math.max(position, rest.indexOf(character, position + 1));
			}
			depth += (character == '(') ? 1 : (character == ')') ? -1 : 0;
			if (depth == 0) {
				// A password may have brackets, too.
				return BEHIND_ARGUMENTS.matcher(rest).region(position + 1, rest.length()).lookingAt();
			}
		}
		return "({,".indexOf(rest.charAt(rest.length() - 1)) >= 0;
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
		String name = text.substring(begin, end);
		return SecretNames.isHarmlessToken(name) || (name.toLowerCase(Locale.ROOT).startsWith("token")
				&& name.length() <= 6 && SecretNames.isOfHarmlessToken(wordBefore(text, begin)));
	}

	private static String wordBefore(String text, int end) {
		int start = end - 1;
		while (start > 0 && end - start < 20 && Character.isLetter(text.charAt(start - 1))) {
			start--;
		}
		return (start < 0 || text.charAt(end - 1) != ' ') ? ""
				: text.substring(start, end - 1).toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether what stands behind an element of XML is none: a name in angle brackets, as
	 * those of a usage.
	 */
	static boolean element(String text, int start, int end) {
		boolean isOpen = !text.startsWith("</", end);
		String said = text.substring(start, end);
		return said.isBlank() || (isOpen && said.indexOf('\n') >= 0) || text(text, start, end);
	}

	private static boolean isInName(char character) {
		return Character.isLetterOrDigit(character) || character == '_' || character == '-';
	}

	/** Whether what looks like an address is a file, or says who logs on to a host. */
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
