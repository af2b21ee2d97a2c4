package io.agenthooks.pattern;

/** A condition on the place between two characters, as in Java's patterns. */
enum Anchor {

	/** {@code \A}, and {@code ^} without {@code (?m)}. */
	TEXT_START {
		@Override
		boolean holds(int before, int after) {
			return is(before, EDGE);
		}
	},

	/** {@code \z}. */
	TEXT_END {
		@Override
		boolean holds(int before, int after) {
			return is(after, EDGE);
		}
	},

	/**
	 * {@code \Z}, and {@code $} without {@code (?m)}: also before a last line terminator.
	 */
	LAST_LINE_END {
		@Override
		boolean holds(int before, int after) {
			return is(after, EDGE) || is(after, LAST_TERMINATOR);
		}
	},

	/**
	 * {@code ^} with {@code (?m)}: nowhere at the end of a text, so not in an empty one.
	 */
	LINE_START {
		@Override
		boolean holds(int before, int after) {
			return !is(after, EDGE) && is(before, EDGE | LF | CR | OTHER_TERMINATOR)
					&& !(is(before, CR) && is(after, LF));
		}
	},

	/** {@code $} with {@code (?m)}. */
	LINE_END {
		@Override
		boolean holds(int before, int after) {
			return is(after, EDGE | LF | CR | OTHER_TERMINATOR) && !(is(before, CR) && is(after, LF));
		}
	},

	/**
	 * {@code \b}. Before Java 19 words are letters, digits and underscores of Unicode,
	 * since then {@code \w}. It holds if either says so, so that no rule is lost with
	 * another Java.
	 */
	WORD_EDGE {
		@Override
		boolean holds(int before, int after) {
			return is(before, WORD) != is(after, WORD) || is(before, UNICODE_WORD) != is(after, UNICODE_WORD);
		}

		@Override
		int kinds() {
			return WORDS;
		}
	},

	/** {@code \B}, in either meaning too. */
	NO_WORD_EDGE {
		@Override
		boolean holds(int before, int after) {
			return is(before, WORD) == is(after, WORD) || is(before, UNICODE_WORD) == is(after, UNICODE_WORD);
		}

		@Override
		int kinds() {
			return WORDS;
		}
	};

	/** Nothing: the start or the end of the text. */
	static final int EDGE = 1;

	static final int WORD = 2;

	static final int LF = 4;

	static final int CR = 8;

	static final int OTHER_TERMINATOR = 16;

	/** The start of the line terminator that ends the text. */
	static final int LAST_TERMINATOR = 32;

	static final int UNICODE_WORD = 64;

	/** A letter or digit: a mark behind it is part of the word. */
	private static final int BASE = 128;

	/** A mark: part of a word only where it has a base. */
	private static final int MARK = 256;

	/**
	 * A mark that is a pair of surrogates. Before a place, Java looks for its base from
	 * the second half, and finds none.
	 */
	private static final int WIDE_MARK = 512;

	private static final int LINES = EDGE | LF | CR | OTHER_TERMINATOR | LAST_TERMINATOR;

	private static final int WORDS = EDGE | WORD | UNICODE_WORD | BASE | MARK | WIDE_MARK;

	private static final CharSet UNICODE_WORDS = CharSet.LETTERS_AND_DIGITS.or(CharSet.of('_'));

	abstract boolean holds(int before, int after);

	int kinds() {
		return LINES;
	}

	/** The kind of a character for the place before it. */
	static int after(int before, int kind) {
		return asked((is(kind, MARK | WIDE_MARK) && is(before, BASE)) ? kind | WORD | UNICODE_WORD : kind);
	}

	/** A kind, without what only the kind of the next character depends on. */
	static int asked(int kind) {
		return kind & ~(BASE | MARK | WIDE_MARK);
	}

	/** The kind of a character for the place after it. */
	static int before(int before, int kind) {
		if (is(kind, MARK) && is(before, BASE)) {
			return WORD | UNICODE_WORD | BASE;
		}
		return (kind & ~(MARK | WIDE_MARK)) | (before & LAST_TERMINATOR);
	}

	/** Whether a text can go on with a character, or end. If in doubt it can. */
	static boolean isPossible(int before, int kind) {
		if (is(before, LAST_TERMINATOR)) {
			return is(kind, EDGE) || (is(before, CR) && kind == LF);
		}
		return !(is(kind, EDGE) && is(before, LF | CR | OTHER_TERMINATOR));
	}

	private static boolean is(int kind, int kinds) {
		return (kind & kinds) != 0;
	}

	static int kindOf(int codePoint) {
		if (CharSet.LINE_TERMINATORS.contains(codePoint)) {
			return (codePoint == '\n') ? LF : (codePoint == '\r') ? CR : OTHER_TERMINATOR;
		}
		boolean wide = Character.isSupplementaryCodePoint(codePoint);
		int kind = (CharSet.WORD.contains(codePoint)) ? WORD : 0;
		if (UNICODE_WORDS.contains(codePoint)) {
			kind |= UNICODE_WORD;
		}
		if (!wide && CharSet.LETTERS_AND_DIGITS.contains(codePoint)) {
			kind |= BASE;
		}
		if (CharSet.MARKS.contains(codePoint)) {
			kind |= (wide) ? WIDE_MARK : MARK;
		}
		return kind;
	}

	/** Find the line terminator that ends the text; -1 if none does. */
	static int lastTerminator(String text) {
		int last = text.length() - 1;
		if (last < 0 || !CharSet.LINE_TERMINATORS.contains(text.charAt(last))) {
			return -1;
		}
		return (text.charAt(last) == '\n' && last > 0 && text.charAt(last - 1) == '\r') ? last - 1 : last;
	}

}
