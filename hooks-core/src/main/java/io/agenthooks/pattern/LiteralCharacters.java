package io.agenthooks.pattern;

import java.text.Normalizer;
import java.util.List;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Makes a pattern mean what its author sees. Texts are freed of characters that nobody
 * sees before patterns are searched for, and of those that have a plain form, such as
 * full-width letters. A pattern that has such a character would find only those who write
 * it the same way, and nobody would notice. So it is searched for as it is written and in
 * its plain form. Where it has none, as a repeated U+200B, it is refused. Who means just
 * such a character writes it as an escape, such as {@code \x{200B}}.
 * <p>
 * Some characters with a plain form do not look like it: the numero sign is no
 * {@code No}, and a superscript two no {@code 2}. Those {@linkplain #isSymbol(int)
 * symbols} mean themselves, and {@link #symbolsIn(String)} says which ones have to stay
 * in a text.
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

	/** Whether all of the pattern has a plain form. */
	private boolean replaceable = true;

	private LiteralCharacters(String pattern, IntPredicate invisible, boolean normalized) {
		this.pattern = pattern;
		this.invisible = invisible;
		this.normalized = normalized;
	}

	/**
	 * The forms of a pattern for texts that are freed of invisible characters and
	 * normalized to their plain form (NFKC).
	 * @param pattern the pattern
	 * @param invisible which characters the texts are freed of
	 * @return the pattern, and its plain form if that is another one
	 * @throws UnusablePatternException if the pattern has such a character and no plain
	 * form
	 */
	public static List<String> formsForPlainTexts(String pattern, IntPredicate invisible) {
		return new LiteralCharacters(pattern, invisible, true).forms();
	}

	/**
	 * The forms of a pattern, which may be secret itself, for texts that are freed of
	 * invisible characters.
	 * @param pattern the pattern
	 * @param invisible which characters the texts are freed of
	 * @return the pattern, and what it is without invisible characters if it has some
	 * @throws UnusablePatternException if it has some and is nothing without them
	 */
	public static List<String> formsForVisibleTexts(String pattern, IntPredicate invisible) {
		return new LiteralCharacters(pattern, invisible, false).forms();
	}

	/**
	 * Whether a character has a plain form and does not look like it: superscripts,
	 * fractions, what is in a circle or a square, and signs made of several letters.
	 * @param character the character
	 * @return whether it means only itself
	 */
	public static boolean isSymbol(int character) {
		return character >= 0xAA
				&& (character == 0xAA || isWithin(character, 0xB2, 0xB3) || isWithin(character, 0xB9, 0xBA)
						|| isWithin(character, 0xBC, 0xBE) || isWithin(character, 0x2B0, 0x2B8)
						|| isWithin(character, 0x2E0, 0x2E4) || isWithin(character, 0x1D2C, 0x1DBF)
						|| isWithin(character, 0x2070, 0x209F) || isWithin(character, 0x20A8, 0x20A8)
						|| isWithin(character, 0x2100, 0x218F) || isWithin(character, 0x2460, 0x24FF)
						|| isWithin(character, 0x3200, 0x33FF) || isWithin(character, 0x1F100, 0x1F2FF));
	}

	private static boolean isWithin(int character, int first, int last) {
		return first <= character && character <= last;
	}

	static String symbolsIn(String pattern) {
		StringBuilder symbols = new StringBuilder();
		pattern.codePoints().filter(LiteralCharacters::isSymbol).distinct().forEach(symbols::appendCodePoint);
		return symbols.toString();
	}

	/**
	 * Check a pattern, which may be secret itself, for texts that are freed of invisible
	 * characters.
	 * @param pattern the pattern
	 * @param invisible which characters the texts are freed of
	 * @throws UnusablePatternException if the pattern has such a character
	 */
	public static void checkForVisibleTexts(String pattern, IntPredicate invisible) {
		new LiteralCharacters(pattern, invisible, false).check();
	}

	private List<String> forms() {
		read();
		String form = (this.first >= 0) ? plainForm() : null;
		if (this.first >= 0 && form == null) {
			throw refusal();
		}
		return (form != null) ? List.of(this.pattern, form) : List.of(this.pattern);
	}

	private void check() {
		read();
		if (this.first >= 0) {
			throw refusal();
		}
	}

	private UnusablePatternException refusal() {
		String form = plainForm(this.first);
		String message = "The pattern holds %s at offset %d; texts are searched %s.".formatted(describe(this.first),
				this.firstOffset, (form.isEmpty()) ? "without it" : "with its plain form");
		String escape = "Write %s where just this character is meant.".formatted(escape(this.first));
		String suggestion = (this.normalized) ? plainForm() : null;
		return new UnusablePatternException(message, (suggestion != null)
				? "Write '%s'. %s".formatted(suggestion, escape)
				: ((form.isEmpty()) ? "Remove it. " : "Write '%s' in its place. ".formatted(quoted(form, SYNTAX)))
						+ escape);
	}

	/**
	 * The plain form of the whole pattern, or {@code null} if there is none that means
	 * the same: one that is found anywhere would be found in every text.
	 */
	private @Nullable String plainForm() {
		String text = this.plain.toString();
		if (!this.replaceable || text.isEmpty()) {
			return null;
		}
		try {
			PatternReader reader = new PatternReader();
			if (reader.read(text).isFoundWithoutCharacters() && !reader.read(this.pattern).isFoundWithoutCharacters()) {
				return null;
			}
			new LiteralCharacters(text, this.invisible, this.normalized).check();
			return text;
		}
		catch (UnusablePatternException ex) {
			return null;
		}
	}

	private void read() {
		if (this.pattern.chars().allMatch((character) -> character < 0x7F)) {
			return;
		}
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

	/** Write the plain form of a range only if it is a range of as many characters. */
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
		return this.normalized && !isSymbol(character) && Character.getType(character) != Character.SURROGATE
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
