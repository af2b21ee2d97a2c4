package io.agenthooks.spring.arguments;

final class EcmaPattern {

	/** JavaScript's dot: anything but the end of a line. */
	private static final String DOT = "[^\\n\\r\\u2028\\u2029]";

	private final String pattern;

	private final StringBuilder translated = new StringBuilder();

	private int position;

	private EcmaPattern(String pattern) {
		this.pattern = pattern;
	}

	static String translate(String pattern) {
		return new EcmaPattern(pattern).translate();
	}

	private String translate() {
		boolean keepsEnds = hasFlag('m');
		String dot = (dotIsAnything()) ? "." : DOT;
		while (this.position < this.pattern.length()) {
			char character = this.pattern.charAt(this.position++);
			switch (character) {
				case '\\' -> addEscape();
				case '[' -> addClass();
				case '.' -> this.translated.append(dot);
				case '$' -> this.translated.append((keepsEnds) ? "$" : "\\z");
				case '{' -> this.translated.append((isQuantifier()) ? "{" : "\\{");
				default -> this.translated.append(character);
			}
		}
		return this.translated.toString();
	}

	/**
	 * Where the pattern says so, and where it looks for what must not be there: nobody
	 * may hide that behind the end of a line.
	 */
	private boolean dotIsAnything() {
		return this.pattern.contains("(?!") || this.pattern.contains("(?<!") || hasFlag('s');
	}

	private boolean hasFlag(char flag) {
		for (int i = this.pattern.indexOf("(?"); i >= 0; i = this.pattern.indexOf("(?", i + 2)) {
			int end = i + 2;
			while (end < this.pattern.length() && Character.isLetter(this.pattern.charAt(end))) {
				if (this.pattern.charAt(end++) == flag) {
					return true;
				}
			}
		}
		return false;
	}

	private void addEscape() {
		if (this.pattern.startsWith("u{", this.position)) {
			this.translated.append("\\x");
			this.position++;
			copyTo('}');
			return;
		}
		this.translated.append('\\');
		if (this.position < this.pattern.length()) {
			char escaped = this.pattern.charAt(this.position++);
			this.translated.append(escaped);
			if ((escaped == 'p' || escaped == 'P' || escaped == 'x') && this.pattern.startsWith("{", this.position)) {
				copyTo('}');
			}
		}
	}

	private void copyTo(char end) {
		int last = this.pattern.indexOf(end, this.position);
		int after = (last < 0) ? this.pattern.length() : last + 1;
		this.translated.append(this.pattern, this.position, after);
		this.position = after;
	}

	/** Add a class, in which a bracket and two ampersands mean nothing to JavaScript. */
	private void addClass() {
		boolean negated = this.pattern.startsWith("^", this.position);
		this.position += (negated) ? 1 : 0;
		if (this.pattern.startsWith("]", this.position)) {
			this.position++;
			this.translated.append((negated) ? "[\\s\\S]" : "[^\\s\\S]");
			return;
		}
		this.translated.append((negated) ? "[^" : "[");
		while (this.position < this.pattern.length()) {
			char character = this.pattern.charAt(this.position++);
			if (character == '\\') {
				addEscape();
				continue;
			}
			if (character == '[' || (character == '&' && this.pattern.startsWith("&", this.position))) {
				this.translated.append('\\');
			}
			this.translated.append(character);
			if (character == ']') {
				return;
			}
		}
	}

	private boolean isQuantifier() {
		int end = this.pattern.indexOf('}', this.position);
		if (end < 0 || this.position == 1) {
			return false;
		}
		boolean digits = false;
		int commas = 0;
		for (int i = this.position; i < end; i++) {
			char character = this.pattern.charAt(i);
			if (character == ',' && digits && commas == 0) {
				commas++;
			}
			else if (character >= '0' && character <= '9') {
				digits = true;
			}
			else {
				return false;
			}
		}
		return digits;
	}

}
