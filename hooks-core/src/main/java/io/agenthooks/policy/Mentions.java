package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Recognizes commands that can only mention others: each part of them is understood, and
 * prints, searches or records what is written in it. Everything that is not in this small
 * grammar is no mention, whatever a shell would make of it.
 * <p>
 * A command in one line has the same parts in a POSIX shell, {@code cmd.exe} and
 * PowerShell, so signs that one of these reads differently are not in the grammar.
 */
final class Mentions {

	private static final int MAX_LENGTH = 20_000;

	private static final String PLAIN = "_./:=,+-";

	/** Not in single quotes, which {@code cmd.exe} does not know as such. */
	private static final String NOT_IN_SINGLE_QUOTES = "\"&|<>^%!";

	private static final String NOT_IN_DOUBLE_QUOTES = "$`\\%!";

	private static final Set<String> SIGNS = Set.of("&&", "|");

	private static final Set<String> QUIET = Set.of("2>/dev/null", "2>&1");

	private static final String COMMIT = "git commit";

	/** All programs of the grammar. None of their options runs a program. */
	private static final Map<String, Program> PROGRAMS = Map.ofEntries(Map.entry("cat", new Program("n", "", "")),
			Map.entry("cd", new Program("", "", "")), Map.entry("echo", new Program("neE", "", "")),
			Map.entry("grep",
					new Program("rRnilLcvwxEFPohHsqIa", "ABCm", "e", "--recursive", "--line-number", "--ignore-case",
							"--fixed-strings", "--include=", "--exclude=", "--exclude-dir=", "--color=")),
			Map.entry("head", new Program("0123456789q", "nc", "")),
			Map.entry("tail", new Program("0123456789", "nc", "")),
			Map.entry("rg",
					new Program("nilcwFvoSNP", "ABCm", "egt", "--line-number", "--ignore-case", "--fixed-strings",
							"--hidden", "--no-heading", "--glob=", "--type=")),
			Map.entry("wc", new Program("lwc", "", "")), Map.entry("git add", new Program("Au", "", "", "--all")),
			Map.entry(COMMIT,
					new Program("aqs", "", "m", "--all", "--amend", "--no-edit", "--quiet", "--signoff",
							"--allow-empty", "--message=")),
			Map.entry("git grep",
					new Program("nilLcvwEFPIhHa", "ABC", "e", "--line-number", "--ignore-case", "--fixed-strings")));

	private final String text;

	private int position;

	/** The words of the command that is read, without their quotes. */
	private final List<String> words = new ArrayList<>();

	private boolean hasHereDocument;

	private Mentions(String text) {
		this.text = text;
	}

	static boolean isOnly(String text) {
		if (text.length() > MAX_LENGTH) {
			return false;
		}
		int end = text.length();
		while (end > 0 && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == '\n')) {
			end--;
		}
		return new Mentions(text.substring(0, end)).read();
	}

	private boolean read() {
		while (this.position < this.text.length()) {
			int start = this.position;
			if (this.text.charAt(start) == ' ') {
				this.position++;
				continue;
			}
			String plain = upToBlank();
			if (SIGNS.contains(plain)) {
				if (!isKnown()) {
					return false;
				}
				this.words.clear();
				this.position += plain.length();
			}
			else if (QUIET.contains(plain)) {
				this.position += plain.length();
			}
			else if (plain.startsWith("<<")) {
				return readHereDocument() && isKnown();
			}
			else if (!readWord()) {
				return false;
			}
		}
		return isKnown();
	}

	private String upToBlank() {
		int end = this.position;
		while (end < this.text.length() && this.text.charAt(end) != ' ' && this.text.charAt(end) != '\n') {
			end++;
		}
		return this.text.substring(this.position, end);
	}

	private boolean readWord() {
		StringBuilder word = new StringBuilder();
		boolean isPlain = true;
		for (; this.position < this.text.length() && this.text.charAt(this.position) != ' '; this.position++) {
			char character = this.text.charAt(this.position);
			if (character == '\'' || character == '"') {
				String quoted = quoted(character);
				if (quoted == null) {
					return false;
				}
				isPlain = false;
				word.append(quoted);
			}
			else if (isLetterOrDigit(character) || PLAIN.indexOf(character) >= 0) {
				word.append(character);
			}
			else {
				return false;
			}
		}
		// The names of programs and of those of git stand without quotes.
		boolean isName = this.words.isEmpty() || (this.words.size() == 1 && this.words.get(0).equals("git"));
		this.words.add(word.toString());
		return isPlain || !isName;
	}

	private @Nullable String quoted(char quote) {
		int start = this.position + 1;
		int end = this.text.indexOf(quote, start);
		String unknown = (quote == '"') ? NOT_IN_DOUBLE_QUOTES : NOT_IN_SINGLE_QUOTES;
		for (int i = start; i < end; i++) {
			char character = this.text.charAt(i);
			if ((!isPrintable(character) && character != '\n') || unknown.indexOf(character) >= 0) {
				return null;
			}
		}
		// To some shells, a quote behind a backslash does not end what is quoted.
		if (end < 0 || this.text.charAt(end - 1) == '\\') {
			return null;
		}
		this.position = end;
		return this.text.substring(start, end);
	}

	/** A shell changes nothing in such a document, and nothing may stand behind it. */
	private boolean readHereDocument() {
		int lineEnd = this.text.indexOf('\n', this.position);
		String mark = (lineEnd < 0) ? "" : this.text.substring(this.position + 2, lineEnd).strip();
		char quote = (mark.length() > 2) ? mark.charAt(0) : ' ';
		if ((quote != '\'' && quote != '"') || mark.charAt(mark.length() - 1) != quote) {
			return false;
		}
		String name = mark.substring(1, mark.length() - 1);
		String document = this.text.substring(lineEnd) + "\n";
		int last = document.indexOf("\n" + name + "\n");
		if (!name.chars().allMatch((character) -> isLetterOrDigit((char) character) || character == '_') || last < 0
				|| last + name.length() + 2 < document.length()) {
			return false;
		}
		this.hasHereDocument = true;
		return this.text.substring(this.position)
			.chars()
			.allMatch((character) -> isPrintable((char) character) || character == '\n' || character == '\t');
	}

	private static boolean isPrintable(char character) {
		return character >= ' ' && character <= '~';
	}

	private static boolean isLetterOrDigit(char character) {
		return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z')
				|| (character >= 'A' && character <= 'Z');
	}

	private boolean isKnown() {
		boolean isGit = this.words.size() > 1 && this.words.get(0).equals("git");
		String name = (this.words.isEmpty()) ? "" : (isGit) ? "git " + this.words.get(1) : this.words.get(0);
		Program program = PROGRAMS.get(name);
		if (program == null) {
			return false;
		}
		List<String> arguments = this.words.subList((isGit) ? 2 : 1, this.words.size());
		if (name.equals(COMMIT)) {
			return program.knows(withoutInput(arguments)) && hasMessage(arguments);
		}
		return program.knows(arguments) && (!this.hasHereDocument || name.equals("cat"));
	}

	/** Without a message, an editor would be started. */
	private boolean hasMessage(List<String> arguments) {
		boolean hasInput = withoutInput(arguments).size() < arguments.size();
		return (hasInput || arguments.stream().anyMatch((word) -> word.matches("-[aqs]*m|--message=[\\s\\S]*")))
				&& (hasInput || !this.hasHereDocument);
	}

	private static List<String> withoutInput(List<String> arguments) {
		int last = arguments.size() - 1;
		return (last > 0 && arguments.get(last).equals("-") && arguments.get(last - 1).equals("-F"))
				? arguments.subList(0, last - 1) : arguments;
	}

	/**
	 * The options of a program.
	 *
	 * @param flags the letters of options that stand alone
	 * @param numbers the letters of options with a number
	 * @param texts the letters of options with a text
	 * @param names the long options; those with a value end with {@code =}
	 */
	private record Program(String flags, String numbers, String texts, List<String> names) {

		Program(String flags, String numbers, String texts, String... names) {
			this(flags, numbers, texts, List.of(names));
		}

		boolean knows(List<String> arguments) {
			for (int i = 0; i < arguments.size(); i++) {
				String word = arguments.get(i);
				if (word.startsWith("--")) {
					String name = word.substring(0, word.indexOf('=') + 1);
					if (!this.names.contains((name.isEmpty()) ? word : name)) {
						return false;
					}
				}
				else if (word.startsWith("-") && !isFlags(word.substring(1))) {
					i++;
					if (i == arguments.size() || !isOption(word, arguments.get(i))) {
						return false;
					}
				}
			}
			return true;
		}

		private boolean isFlags(String letters) {
			return !letters.isEmpty() && letters.chars().allMatch((letter) -> this.flags.indexOf(letter) >= 0);
		}

		/** Whether the last letter is of an option that has the next word as value. */
		private boolean isOption(String word, String value) {
			String others = word.substring(1, Math.max(1, word.length() - 1));
			char last = word.charAt(word.length() - 1);
			return (others.isEmpty() || isFlags(others)) && ((this.numbers.indexOf(last) >= 0) ? isNumber(value)
					: this.texts.indexOf(last) >= 0 && !value.startsWith("-"));
		}

		private static boolean isNumber(String text) {
			return text.matches("[0-9]+");
		}

	}

}
