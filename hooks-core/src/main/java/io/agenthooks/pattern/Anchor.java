package io.agenthooks.pattern;

/**
 * A condition on the place between two characters, as in Java's patterns.
 */
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
	 * {@code \Z}, and {@code $} without {@code (?m)}: at the end, or before the line
	 * terminator that ends the text.
	 */
	LAST_LINE_END {
		@Override
		boolean holds(int before, int after) {
			return is(after, EDGE) || is(after, LAST_TERMINATOR);
		}
	},

	/** {@code ^} with {@code (?m)}. */
	LINE_START {
		@Override
		boolean holds(int before, int after) {
			return is(before, EDGE) || (is(before, LF | CR | OTHER_TERMINATOR) && !is(after, EDGE)
					&& !(is(before, CR) && is(after, LF)));
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
	 * {@code \b}, between what is part of a word and what is not. Before Java 19 that
	 * means a letter or digit of Unicode, since then {@code \w}. Who writes a pattern may
	 * think of either, so it holds if either says so.
	 */
	WORD_EDGE {
		@Override
		boolean holds(int before, int after) {
			return is(before, WORD) != is(after, WORD) || is(before, UNICODE_WORD) != is(after, UNICODE_WORD);
		}
	},

	/** {@code \B}, in either meaning too. */
	NO_WORD_EDGE {
		@Override
		boolean holds(int before, int after) {
			return is(before, WORD) == is(after, WORD) || is(before, UNICODE_WORD) == is(after, UNICODE_WORD);
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

	/**
	 * Whether the condition holds.
	 * @param before what {@link #kindOf(int) kind} of character stands before the place
	 * @param after what kind stands after it
	 */
	abstract boolean holds(int before, int after);

	private static boolean is(int kind, int kinds) {
		return (kind & kinds) != 0;
	}

	/**
	 * What conditions have to know of a character.
	 */
	static int kindOf(int codePoint) {
		if (CharSet.LINE_TERMINATORS.contains(codePoint)) {
			return (codePoint == '\n') ? LF : (codePoint == '\r') ? CR : OTHER_TERMINATOR;
		}
		return ((CharSet.WORD.contains(codePoint)) ? WORD : 0)
				| ((CharSet.UNICODE_WORD.contains(codePoint)) ? UNICODE_WORD : 0);
	}

	/**
	 * Where the line terminator that ends the text starts, or -1 if none does.
	 */
	static int lastTerminator(String text) {
		int last = text.length() - 1;
		if (last < 0 || !CharSet.LINE_TERMINATORS.contains(text.charAt(last))) {
			return -1;
		}
		return (text.charAt(last) == '\n' && last > 0 && text.charAt(last - 1) == '\r') ? last - 1 : last;
	}

}
