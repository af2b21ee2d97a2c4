package io.agenthooks.policy;

import java.text.Normalizer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.LiteralCharacters;
import io.agenthooks.pattern.NumberText;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;
import io.agenthooks.toolcall.ToolNames;

/**
 * The normalized texts of a value in which patterns are searched, so that another way to
 * write the same cannot evade them.
 *
 * @since 0.1.0
 */
public final class SearchText {

	private static final int CLEANING = 10;

	/**
	 * How many marks on one letter are put in order; with more, the time would grow with
	 * their square. As in Unicode's stream-safe text format.
	 */
	private static final int MAX_MARKS = 30;

	private static final int PIECE = 4096;

	private static final int BIG_NUMBER = 20_000;

	private SearchText() {
	}

	static @Nullable TextPattern find(PatternSet patterns, String text, Budget budget) {
		return find(patterns, text, clean(text, budget), budget);
	}

	static @Nullable TextPattern find(PatternSet patterns, String text, String clean, Budget budget) {
		TextPattern pattern = patterns.find(text, budget);
		if (pattern == null && !clean.equals(text)) {
			pattern = findClean(patterns, text, clean, budget);
		}
		if (pattern != null) {
			return pattern;
		}
		String spaced = withPlainBlanks(text);
		return (spaced.equals(text)) ? null : patterns.find(clean(spaced, budget), budget);
	}

	private static @Nullable TextPattern findClean(PatternSet patterns, String text, String clean, Budget budget) {
		TextPattern pattern = patterns.find(clean, budget);
		if (pattern != null || patterns.symbols().isEmpty()) {
			return pattern;
		}
		String kept = cleanBetween(text, patterns.symbols(), budget);
		return (kept.equals(clean)) ? null : patterns.find(kept, budget);
	}

	/**
	 * With plain spaces and line ends for those of JavaScript, PowerShell or Python,
	 * which patterns and NFKC do not know.
	 */
	private static String withPlainBlanks(String text) {
		StringBuilder spaced = null;
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			char plain = (character >= ' ' && character < 0x7F) ? 0 : plainBlank(character);
			if (plain != 0) {
				spaced = (spaced != null) ? spaced : new StringBuilder(text);
				spaced.setCharAt(i, plain);
			}
		}
		return (spaced != null) ? spaced.toString() : text;
	}

	private static char plainBlank(char character) {
		return switch (character) {
			case 0x85, 0x2028, 0x2029 -> '\n';
			case 0x1C, 0x1D, 0x1E, 0x1F, 0x1680, 0x180E, 0xFEFF -> ' ';
			default -> 0;
		};
	}

	/** A text that is clean but for some symbols, which are what patterns look for. */
	private static String cleanBetween(String text, String symbols, Budget budget) {
		budget.spend((long) CLEANING * text.length());
		String visible = withoutInvisible(text);
		StringBuilder kept = new StringBuilder(visible.length());
		int start = 0;
		for (int i = 0; i < visible.length();) {
			int character = visible.codePointAt(i);
			int next = i + Character.charCount(character);
			if (LiteralCharacters.isSymbol(character) && symbols.indexOf(character) >= 0) {
				kept.append(normalize(visible.substring(start, i), budget)).appendCodePoint(character);
				start = next;
			}
			i = next;
		}
		return withoutInvisible(kept.append(normalize(visible.substring(start), budget)).toString());
	}

	/**
	 * A text without invisible and control characters, and with each other one in its
	 * plain form (NFKC): a full-width letter, a ligature, a letter with its marks written
	 * apart.
	 * @param text the text
	 * @param budget what it may cost
	 * @return the clean text
	 * @throws Budget.ExhaustedException if it costs more
	 */
	public static String clean(String text, Budget budget) {
		if (isPlain(text)) {
			return text;
		}
		budget.spend((long) CLEANING * text.length());
		return withoutInvisible(normalize(withoutInvisible(text), budget));
	}

	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (character >= 0x7F || (character < ' ' && !isBlank(character))) {
				return false;
			}
		}
		return true;
	}

	/** Whether a control character stands for space rather than for nothing. */
	private static boolean isBlank(int character) {
		return (character >= '\t' && character <= '\r') || character == 0x85;
	}

	private static String withoutInvisible(String text) {
		StringBuilder visible = null;
		for (int i = 0; i < text.length();) {
			int character = text.codePointAt(i);
			if (ToolNames.isInvisible(character) || (Character.isISOControl(character) && !isBlank(character))) {
				visible = (visible != null) ? visible : new StringBuilder(text.length()).append(text, 0, i);
			}
			else if (visible != null) {
				visible.appendCodePoint(character);
			}
			i += Character.charCount(character);
		}
		return (visible != null) ? visible.toString() : text;
	}

	private static boolean isWithin(int character, int first, int last) {
		return first <= character && character <= last;
	}

	/** Normalize a text piece by piece, for one character may become eighteen. */
	private static String normalize(String text, Budget budget) {
		if (text.length() <= PIECE && !hasManyMarks(text)) {
			return normalizePiece(text, budget);
		}
		StringBuilder normalized = new StringBuilder(text.length());
		int start = 0;
		int edge = 0;
		int marks = 0;
		for (int i = 0; i < text.length();) {
			int character = text.codePointAt(i);
			marks = (isMark(character)) ? marks + 1 : 0;
			edge = (startsAnew(character)) ? i : edge;
			if (marks > MAX_MARKS || i - start >= PIECE) {
				int end = (marks > MAX_MARKS || edge <= start) ? i : edge;
				normalized.append(normalizePiece(text.substring(start, end), budget));
				start = end;
				marks = (end == i) ? Math.min(marks, 1) : marks;
			}
			i += Character.charCount(character);
		}
		return normalized.append(normalizePiece(text.substring(start), budget)).toString();
	}

	private static String normalizePiece(String piece, Budget budget) {
		String normalized = Normalizer.normalize(piece, Normalizer.Form.NFKC);
		budget.spend((long) CLEANING * Math.max(0, normalized.length() - piece.length()));
		return normalized;
	}

	private static boolean hasManyMarks(String text) {
		int marks = 0;
		for (int i = 0; i < text.length() && marks <= MAX_MARKS;) {
			int character = text.codePointAt(i);
			marks = (isMark(character)) ? marks + 1 : 0;
			i += Character.charCount(character);
		}
		return marks > MAX_MARKS;
	}

	/**
	 * Whether a character never becomes one with those before it: no mark, and no part of
	 * a Hangul syllable or what is normalized to one.
	 */
	private static boolean startsAnew(int character) {
		return character < 0x300
				|| !(isMark(character) || isWithin(character, 0x1100, 0x11FF) || isWithin(character, 0x3131, 0x318E)
						|| isWithin(character, 0xA960, 0xA97C) || isWithin(character, 0xD7B0, 0xD7FB)
						|| isWithin(character, 0xFF9E, 0xFFDC) || isWithin(character, 0x309B, 0x309C));
	}

	private static boolean isMark(int character) {
		int type = Character.getType(character);
		return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK
				|| type == Character.ENCLOSING_MARK;
	}

	static String of(Number number, Budget budget) {
		if (!NumberText.isWritable(number)) {
			throw new Budget.ExhaustedException();
		}
		if (NumberText.significandOf(number).bitLength() >= Long.SIZE) {
			budget.spend(BIG_NUMBER);
		}
		return number.toString();
	}

}
