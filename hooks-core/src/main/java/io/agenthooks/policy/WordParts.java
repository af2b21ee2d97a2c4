package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The parts of a word of a command that may be a path or a host, such as what stands
 * behind the sign in {@code -d@/etc/passwd} and {@code --from=.env}.
 */
final class WordParts {

	private static final int MAX_DEPTH = 3;

	/** Behind this stands code, such as that of a shell. */
	private static final Pattern BEFORE_CODE = Pattern
		.compile("(?i)-[a-z]{0,9}[ces]|--(?:eval|command|exec|split-string)|eval|/c");

	private static final String SCHEME_END = "://";

	/** Signs that end a part of a word to some program. */
	private static final Pattern SIGNS = Pattern.compile("[=@:,]+");

	private static final Pattern NOT_IN_HOSTS = Pattern.compile("[\\s=@:,/?#\\\\&;'\"<>()|$!*+~^%`{}\\[\\]]+");

	/** Signs at which a shell splits no word. */
	private static final Pattern QUOTES = Pattern.compile("[\"'`\\\\]+");

	/** A part that a shell replaces, by nothing if it is not set. */
	private static final Pattern EXPANSION = Pattern
		.compile("\\$(?:\\{[^}]{0,60}}|\\([^)]{0,60}\\)|\\[[^]]{0,60}]|[0-9@*#?!$-]|[A-Za-z_]\\w*)|`[^`]{0,60}`");

	/** Where a shell makes several words of one, or takes another for one. */
	private static final Pattern BRACES = Pattern.compile("[\\s;|&<>(){},$]+|:[-=+?]");

	private static final Pattern BLANKS = Pattern.compile("[\\s;|&<>()]+");

	private WordParts() {
	}

	/** The words of a command, and of code that is a word of it. */
	static List<String> ofCommand(String command) {
		return ofCommand(command, 0);
	}

	private static List<String> ofCommand(String command, int depth) {
		List<String> words;
		try {
			words = ShellWords.of(command);
		}
		catch (UnreadableValueException ex) {
			words = ofUnreadable(command);
		}
		List<String> all = new ArrayList<>(words);
		for (int i = 1; i < words.size() && depth < MAX_DEPTH; i++) {
			if (BEFORE_CODE.matcher(words.get(i - 1)).matches()) {
				all.addAll(ofCommand(words.get(i), depth + 1));
			}
		}
		return all;
	}

	/** With the quotes and without, and without what a shell puts in. */
	private static List<String> ofUnreadable(String command) {
		Set<String> words = new LinkedHashSet<>(Arrays.asList(command.split("[\\s;|&<>()\"'`]+", -1)));
		String plain = QUOTES.matcher(command).replaceAll("");
		words.addAll(Arrays.asList(BLANKS.split(plain, -1)));
		words.addAll(Arrays.asList(BRACES.split(plain, -1)));
		String fixed = QUOTES.matcher(EXPANSION.matcher(command).replaceAll("")).replaceAll("");
		words.addAll(Arrays.asList(BLANKS.split(fixed, -1)));
		return List.copyOf(words);
	}

	static Set<String> paths(String word) {
		String rest = withoutUrl(word);
		Set<String> parts = new LinkedHashSet<>(Arrays.asList(SIGNS.split(rest, -1)));
		parts.add(rest);
		parts.add(rest.substring(rest.indexOf('=') + 1));
		if (rest.startsWith("-")) {
			parts.remove(rest);
			parts.add(rest.substring(Math.min(2, rest.length())));
			parts.add(rest.substring(Math.max(0, rest.indexOf('/'))));
		}
		parts.removeIf(String::isBlank);
		return parts;
	}

	static Set<String> hosts(String word) {
		String rest = withoutUrl(word);
		Set<String> parts = new LinkedHashSet<>(Arrays.asList(NOT_IN_HOSTS.split(rest, -1)));
		if (rest.indexOf('%') >= 0) {
			parts.addAll(Arrays.asList(NOT_IN_HOSTS.split(PercentEncoding.decode(rest), -1)));
		}
		if (rest.startsWith("-")) {
			parts.add(NOT_IN_HOSTS.split(rest.substring(Math.min(2, rest.length())), 2)[0]);
		}
		parts.removeIf(String::isEmpty);
		return parts;
	}

	/** A URL is read as one, unless it is that of a file. */
	private static String withoutUrl(String word) {
		int end = word.indexOf(SCHEME_END);
		int start = end;
		while (start > 0 && HostCharacters.isOfScheme(word.charAt(start - 1))) {
			start--;
		}
		return (end < 0 || word.substring(start, end).equalsIgnoreCase("file")) ? word : word.substring(0, start);
	}

}
