package io.agenthooks;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes a regular expression as globs, to advise about one that stands where a glob
 * belongs. What a glob cannot say is either said a little wider or not at all.
 */
final class RegexAsGlob {

	private static final int MAX_GLOBS = 16;

	private static final String ANY = "?";

	private final String regex;

	private int position;

	private boolean ignoreCase;

	/** Whether the globs match more than the regular expression. */
	private boolean wider;

	private RegexAsGlob(String regex) {
		this.regex = regex;
	}

	/**
	 * The globs that together match what a regular expression does.
	 * @param mayWiden whether they may match more
	 * @return the globs, none if it cannot be told
	 */
	static List<String> translate(String regex, boolean mayWiden) {
		try {
			RegexAsGlob reader = new RegexAsGlob(unquoted(regex));
			if (regex.matches("(?s)/.*/i")) {
				reader.ignoreCase = true;
			}
			Set<String> globs = reader.choice();
			return (reader.position == reader.regex.length() && (mayWiden || !reader.wider))
					? globs.stream().map((glob) -> glob.replaceAll("\\*{2,}", "*")).distinct().toList() : List.of();
		}
		catch (CannotTellException ex) {
			return List.of();
		}
	}

	private static String unquoted(String regex) {
		return (regex.matches("(?s)/.*/i?")) ? regex.substring(1, regex.lastIndexOf('/')) : regex;
	}

	private Set<String> choice() {
		Set<String> all = new LinkedHashSet<>(sequence());
		while (accept("|")) {
			all.addAll(sequence());
		}
		return all;
	}

	private Set<String> sequence() {
		Set<String> all = new LinkedHashSet<>(List.of(""));
		while (this.position < this.regex.length() && !at("|") && !at(")")) {
			all = join(all, quantified());
		}
		return all;
	}

	private static Set<String> join(Set<String> starts, Set<String> ends) {
		Set<String> joined = new LinkedHashSet<>();
		for (String start : starts) {
			for (String end : ends) {
				joined.add(start + end);
			}
		}
		if (joined.size() > MAX_GLOBS) {
			throw new CannotTellException();
		}
		return joined;
	}

	private Set<String> quantified() {
		int start = this.position;
		Set<String> part = part();
		boolean isClass = at(start, "[") || at(start, "\\d") || at(start, "\\w");
		boolean any = at(start, ".");
		Set<String> result = part;
		if (accept("*")) {
			if (at(start, "(")) {
				throw new CannotTellException();
			}
			this.wider |= !any;
			// Behind a letter the star is rather one of a glob.
			result = (any || isClass) ? Set.of("*") : join(part, Set.of("*"));
		}
		else if (accept("+")) {
			this.wider |= !any;
			result = join((at(start, "\\w")) ? Set.of(ANY) : part, Set.of("*"));
		}
		else if (accept("?")) {
			result = new LinkedHashSet<>(part);
			result.add("");
		}
		else if (at("{")) {
			return repeated(part);
		}
		else {
			return part;
		}
		if (at("?") || at("+")) {
			this.position++;
		}
		return result;
	}

	private Set<String> repeated(Set<String> part) {
		int end = this.regex.indexOf('}', this.position);
		String counts = (end > 0) ? this.regex.substring(this.position + 1, end) : "";
		if (!counts.matches("\\d{1,2}(,\\d{0,2})?")) {
			throw new CannotTellException();
		}
		this.position = end + 1;
		Set<String> repeated = Set.of("");
		for (int i = Integer.parseInt(counts.split(",", 2)[0]); i > 0; i--) {
			repeated = join(repeated, part);
		}
		this.wider |= counts.contains(",");
		return (counts.contains(",")) ? join(repeated, Set.of("*")) : repeated;
	}

	private Set<String> part() {
		if (accept("(")) {
			return group();
		}
		if (at("[")) {
			return Set.of(bracket());
		}
		if (accept(".") || accept(ANY)) {
			return Set.of(ANY);
		}
		if (accept("*")) {
			return Set.of("*");
		}
		if (accept("^") || accept("$")) {
			return Set.of("");
		}
		return Set.of((accept("\\")) ? escape() : literal(next()));
	}

	private Set<String> group() {
		int start = this.position - 1;
		if (accept("?i)")) {
			this.ignoreCase = true;
			return Set.of("");
		}
		if (accept("?i:")) {
			this.ignoreCase = true;
		}
		else if (at("?") && !accept("?:")) {
			throw new CannotTellException();
		}
		boolean behindName = start > 0 && Character.isLetterOrDigit(this.regex.charAt(start - 1));
		Set<String> inside = choice();
		if (!accept(")")) {
			throw new CannotTellException();
		}
		if (behindName && inside.size() == 1 && !inside.contains("")) {
			// As in 'Bash(rm:*)', which is about arguments.
			throw new CannotTellException();
		}
		return inside;
	}

	private String bracket() {
		int end = this.regex.indexOf(']', this.position + 2);
		String inside = (end > 0) ? this.regex.substring(this.position + 1, end) : "";
		if (inside.isEmpty() || inside.matches("(?s)!.*|.*[\\\\\\[].*")) {
			throw new CannotTellException();
		}
		this.position = end + 1;
		return "[" + ((inside.startsWith("^")) ? "!" + inside.substring(1) : inside) + "]";
	}

	private String escape() {
		int letter = next();
		return switch (letter) {
			case 'd' -> "[0-9]";
			case 'w' -> "[A-Za-z0-9_]";
			case 'S' -> ANY;
			case 'b', 'A', 'z', 'Z' -> "";
			default -> {
				if (Character.isLetterOrDigit(letter)) {
					throw new CannotTellException();
				}
				yield literal(letter);
			}
		};
	}

	private String literal(int character) {
		String text = Character.toString(character);
		if ("*?[".contains(text)) {
			return "[" + text + "]";
		}
		String other = (this.ignoreCase) ? otherCase(text) : text;
		return (other.equals(text)) ? text : "[" + text + other + "]";
	}

	private static String otherCase(String text) {
		int character = text.codePointAt(0);
		return Character.toString((Character.isUpperCase(character)) ? Character.toLowerCase(character)
				: Character.toUpperCase(character));
	}

	private int next() {
		if (this.position == this.regex.length()) {
			throw new CannotTellException();
		}
		int character = this.regex.codePointAt(this.position);
		this.position += Character.charCount(character);
		return character;
	}

	private boolean accept(String text) {
		boolean accepted = at(text);
		if (accepted) {
			this.position += text.length();
		}
		return accepted;
	}

	private boolean at(String text) {
		return at(this.position, text);
	}

	private boolean at(int start, String text) {
		return this.regex.startsWith(text, start);
	}

	/**
	 * What is written cannot be said in a few globs.
	 */
	private static final class CannotTellException extends RuntimeException {

		CannotTellException() {
			super(null, null, false, false);
		}

	}

}
