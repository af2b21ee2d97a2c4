package io.agenthooks.pattern;

import java.text.Normalizer;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Refuses characters of a pattern that the texts cannot have where patterns are searched
 * for: those that nobody sees, and those that have a plain form. Texts are freed of them
 * before they are searched, so a pattern that has one would find only those who write it
 * the same way, and nobody would notice. Who means just that writes the character as an
 * escape, such as {@code \x{200B}}.
 *
 * @since 0.1.0
 */
public final class LiteralCharacters {

	private static final String SYNTAX = "\\[](){}.*+?^$|";

	private static final String SYNTAX_IN_BRACKETS = "\\[]^-&";

	private final String pattern;

	private final IntPredicate invisible;

	private final boolean normalized;

	private final StringBuilder plain = new StringBuilder();

	private int first = -1;

	private int firstOffset;

	/** Whether the plain form of everything could be written in its place. */
	private boolean replaceable = true;

	private LiteralCharacters(String pattern, IntPredicate invisible, boolean normalized) {
		this.pattern = pattern;
		this.invisible = invisible;
		this.normalized = normalized;
	}

	/**
	 * Check a pattern for texts that are freed of invisible characters and normalized to
	 * their plain form (NFKC).
	 * @param pattern the pattern
	 * @param invisible which characters the texts are freed of
	 * @throws UnusablePatternException if the pattern has such a character
	 */
	public static void checkForPlainTexts(String pattern, IntPredicate invisible) {
		new LiteralCharacters(pattern, invisible, true).check(true);
	}

	/**
	 * Check a pattern, which may be secret itself, for texts that are freed of invisible
	 * characters.
	 * @param pattern the pattern
	 * @param invisible which characters the texts are freed of
	 * @throws UnusablePatternException if the pattern has such a character
	 */
	public static void checkForVisibleTexts(String pattern, IntPredicate invisible) {
		new LiteralCharacters(pattern, invisible, false).check(false);
	}

	private void check(boolean mayQuote) {
		if (this.pattern.chars().allMatch((character) -> character < 0x7F)) {
			return;
		}
		read();
		if (this.first < 0) {
			return;
		}
		String form = plainForm(this.first);
		String message = "The pattern holds %s at offset %d; texts are searched %s.".formatted(describe(this.first),
				this.firstOffset, (form.isEmpty()) ? "without it" : "with its plain form");
		String escape = "Write %s where just this character is meant.".formatted(escape(this.first));
		String suggestion = (mayQuote) ? suggestion() : null;
		if (suggestion != null) {
			throw new UnusablePatternException(message, "Write '%s'. %s".formatted(suggestion, escape));
		}
		throw new UnusablePatternException(message,
				((form.isEmpty()) ? "Remove it. " : "Write '%s' in its place. ".formatted(quoted(form, SYNTAX)))
						+ escape);
	}

	private @Nullable String suggestion() {
		String text = this.plain.toString();
		if (!this.replaceable || text.isEmpty()) {
			return null;
		}
		try {
			new PatternReader().read(text);
			new LiteralCharacters(text, this.invisible, this.normalized).check(false);
			return text;
		}
		catch (UnusablePatternException ex) {
			return null;
		}
	}

	/**
	 * Go through the pattern and write its plain form, as far as that is possible.
	 */
	private void read() {
		boolean quoted = false;
		int brackets = 0;
		for (int i = 0; i < this.pattern.length();) {
			int character = this.pattern.codePointAt(i);
			int next = i + Character.charCount(character);
			if (quoted || character == '\\') {
				if (this.pattern.startsWith((quoted) ? "\\E" : "\\Q", i)) {
					quoted = !quoted;
					this.plain.append(this.pattern, i, i + 2);
					i += 2;
					continue;
				}
				if (!quoted && next < this.pattern.length()) {
					// An escape that is not ASCII stands for itself.
					int escaped = this.pattern.codePointAt(next);
					i = next + Character.charCount(escaped);
					if (isRefused(escaped)) {
						refuse(escaped, next, quoted(plainForm(escaped), (brackets > 0) ? SYNTAX_IN_BRACKETS : SYNTAX));
					}
					else {
						this.plain.append(this.pattern, next - 1, i);
					}
					continue;
				}
			}
			else if (character == '[') {
				brackets++;
			}
			else if (character == ']') {
				brackets = Math.max(0, brackets - 1);
			}
			else if (brackets > 0 && isRange(next)) {
				int end = this.pattern.codePointAt(next + 1);
				appendRange(character, end, i);
				i = next + 1 + Character.charCount(end);
				continue;
			}
			if (isRefused(character)) {
				refuse(character, i, form(character, quoted, brackets > 0, next));
			}
			else {
				this.plain.appendCodePoint(character);
			}
			i = next;
		}
	}

	/**
	 * What to write for a character as it stands there.
	 */
	private String form(int character, boolean quoted, boolean inBrackets, int next) {
		String form = plainForm(character);
		if (quoted) {
			this.replaceable &= !form.contains("\\");
			return form;
		}
		if (form.codePointCount(0, form.length()) < 2) {
			// A quantifier would be for what stands before, or for nothing.
			this.replaceable &= !form.isEmpty() || !isQuantified(next) || inBrackets;
			return quoted(form, (inBrackets) ? SYNTAX_IN_BRACKETS : SYNTAX);
		}
		this.replaceable &= !inBrackets;
		return (isQuantified(next)) ? "(?:" + quoted(form, SYNTAX) + ")" : quoted(form, SYNTAX);
	}

	private boolean isQuantified(int next) {
		return next < this.pattern.length() && "*+?{".indexOf(this.pattern.charAt(next)) >= 0;
	}

	private boolean isRange(int dash) {
		return dash + 1 < this.pattern.length() && this.pattern.charAt(dash) == '-'
				&& "[]\\".indexOf(this.pattern.charAt(dash + 1)) < 0;
	}

	/**
	 * Write the plain form of a range only if it is a range of as many characters.
	 */
	private void appendRange(int from, int to, int offset) {
		boolean refused = isRefused(from) || isRefused(to);
		String first = (refused) ? plainForm(from) : Character.toString(from);
		String last = (refused) ? plainForm(to) : Character.toString(to);
		if (refused && (first.codePointCount(0, first.length()) != 1 || last.codePointCount(0, last.length()) != 1
				|| last.codePointAt(0) - first.codePointAt(0) != to - from)) {
			first = (isRefused(from)) ? escape(from) : Character.toString(from);
			last = (isRefused(to)) ? escape(to) : Character.toString(to);
			note((isRefused(from)) ? from : to, offset);
			this.plain.append(first).append('-').append(last);
			return;
		}
		if (refused) {
			note((isRefused(from)) ? from : to, offset);
		}
		this.plain.append((refused) ? quoted(first, SYNTAX_IN_BRACKETS) : first)
			.append('-')
			.append((refused) ? quoted(last, SYNTAX_IN_BRACKETS) : last);
	}

	private void refuse(int character, int offset, String form) {
		note(character, offset);
		this.plain.append(form);
	}

	private void note(int character, int offset) {
		if (this.first < 0) {
			this.first = character;
			this.firstOffset = offset;
		}
	}

	private boolean isRefused(int character) {
		if (character < 0x7F) {
			return false;
		}
		if (this.invisible.test(character)) {
			return true;
		}
		String text = Character.toString(character);
		// Patterns are searched for with their marks composed as well.
		return this.normalized && Character.getType(character) != Character.SURROGATE
				&& !Normalizer.normalize(text, Normalizer.Form.NFKC)
					.equals(Normalizer.normalize(text, Normalizer.Form.NFC));
	}

	private String plainForm(int character) {
		if (this.invisible.test(character)) {
			return "";
		}
		StringBuilder form = new StringBuilder();
		Normalizer.normalize(Character.toString(character), Normalizer.Form.NFKC)
			.codePoints()
			.filter((each) -> !this.invisible.test(each))
			.forEach(form::appendCodePoint);
		return form.toString();
	}

	private static String quoted(String text, String syntax) {
		StringBuilder quoted = new StringBuilder();
		text.codePoints().forEach((character) -> {
			if (syntax.indexOf(character) >= 0) {
				quoted.append('\\');
			}
			quoted.appendCodePoint(character);
		});
		return quoted.toString();
	}

	private static String escape(int character) {
		return "\\x{%04X}".formatted(character);
	}

	private static String describe(int character) {
		String name = Character.getName(character);
		return "U+%04X".formatted(character) + ((name != null) ? " (" + name + ")" : "");
	}

}
