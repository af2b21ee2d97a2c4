package io.agenthooks.flow;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.policy.PercentEncoding;

/**
 * The letters and digits of the arguments of a call, also as they are once they are
 * decoded. A tool that says some of them again, in whatever it stands and in whatever
 * order it puts them together, does not make them its own.
 */
final class Echo {

	/** Fewer letters and digits stand in most texts by chance; those count as words. */
	private static final int MIN_LENGTH = 4;

	/** Of a part of a word. Whole words are pieces also if they are shorter. */
	private static final int MIN_PIECE = 3;

	/** Longer pieces are put together from such that are not. */
	private static final int MAX_PIECE = 2 * MIN_PIECE - 1;

	/**
	 * Fewer need a piece that is no short word, so that numbers of pages are no amount.
	 */
	private static final int LONG = 8;

	private static final int ROUNDS = 3;

	/** How many steps of a budget one character takes. */
	private static final int STEPS = 100;

	private final long[] pieces;

	/**
	 * The pieces that stand in one value; {@link #pieces} may go across the end of one.
	 */
	private final long[] parts;

	private final Budget budget = new Budget();

	private Echo(long[] pieces, long[] parts) {
		this.pieces = pieces;
		this.parts = parts;
	}

	/** The echo of arguments, or {@code null} if it takes too long to find out. */
	static @Nullable Echo of(String values, String names) {
		LongList pieces = new LongList(Integer.MAX_VALUE);
		LongList parts = new LongList(Integer.MAX_VALUE);
		String own = values + "\n" + names;
		for (int i = 0; i <= ROUNDS && !own.isEmpty(); i++) {
			String clean = (own.length() <= Tokens.MAX_LENGTH) ? Tokens.clean(own) : null;
			if (clean == null) {
				return null;
			}
			addPieces(squeezed(clean), pieces);
			addShortWords(clean, pieces);
			clean.lines().forEach((line) -> addPieces(squeezed(line), parts));
			own = (i < ROUNDS) ? Decodings.decode(own) : "";
		}
		return new Echo(pieces.toSortedArray(), parts.toSortedArray());
	}

	private static String squeezed(String clean) {
		StringBuilder letters = new StringBuilder(clean.length());
		for (int i = 0; i < clean.length(); i++) {
			if (isLetter(clean.charAt(i))) {
				letters.append(clean.charAt(i));
			}
		}
		return letters.toString();
	}

	private static boolean isLetter(char character) {
		return Character.isLetterOrDigit(character) || Character.isSurrogate(character);
	}

	private static void addPieces(String letters, LongList pieces) {
		for (int length = MIN_PIECE; length <= MAX_PIECE; length++) {
			for (int start = 0; start + length <= letters.length(); start++) {
				pieces.add(hash(letters, start, start + length));
			}
		}
	}

	private static void addShortWords(String clean, LongList pieces) {
		int start = 0;
		for (int i = 0; i <= clean.length(); i++) {
			if (i == clean.length() || !isLetter(clean.charAt(i))) {
				if (i > start && i - start < MIN_PIECE) {
					pieces.add(hash(clean, start, i));
				}
				start = i + 1;
			}
		}
	}

	private static long hash(String text, int start, int end) {
		long hash = (long) end - start;
		for (int i = start; i < end; i++) {
			hash = 0x9E3779B97F4A7C15L * (hash ^ text.charAt(i));
			hash ^= hash >>> 32;
		}
		return hash;
	}

	/**
	 * Whether the letters and digits of a token are pieces that stand in the arguments,
	 * one after the other.
	 */
	boolean holds(String token) {
		return this.pieces.length > 0 && (holdsLetters(squeezed(token))
				|| (token.indexOf('%') >= 0 && holdsLetters(squeezed(PercentEncoding.decode(token))))
				|| (token.indexOf('&') >= 0 && holdsLetters(squeezed(Decodings.escaped(token)))));
	}

	private boolean holdsLetters(String letters) {
		int length = letters.length();
		if (length < MIN_LENGTH) {
			return false;
		}
		this.budget.spend((long) STEPS * length);
		boolean[] isReached = new boolean[length + 1];
		// By a way on which at least one piece is a part of a value.
		boolean[] isReachedByPart = new boolean[length + 1];
		isReached[0] = true;
		for (int start = 0; start < length; start++) {
			for (int end = start + 1; isReached[start] && end <= Math.min(length, start + MAX_PIECE); end++) {
				long piece = hash(letters, start, end);
				if (Arrays.binarySearch(this.pieces, piece) >= 0) {
					isReached[end] = true;
					isReachedByPart[end] |= isReachedByPart[start] || Arrays.binarySearch(this.parts, piece) >= 0;
				}
			}
		}
		return (length < LONG) ? isReachedByPart[length] : isReached[length];
	}

}
