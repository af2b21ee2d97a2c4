package io.agenthooks.spring.binding;

import java.util.Collection;
import java.util.Comparator;

/**
 * Suggests the known name that a misspelled name is closest to.
 *
 * @since 0.1.0
 */
public final class Spelling {

	/** How long an ending is, as that of a plural. */
	private static final int ENDING = 2;

	private Spelling() {
	}

	/**
	 * A sentence that suggests the nearest known name, or nothing if none is near.
	 * @param name what is written
	 * @param known the names that there are
	 * @return the sentence with a space behind it, or an empty text
	 */
	public static String didYouMean(String name, Collection<String> known) {
		return known.stream()
			.filter((candidate) -> isNear(name, candidate) || hasOtherEnd(name, candidate))
			.min(Comparator.comparingInt((candidate) -> unlikeness(name, candidate)))
			.map((candidate) -> "Did you mean '" + candidate + "'? ")
			.orElse("");
	}

	static boolean isNear(String name, String known) {
		String one = PropertyNode.uniform(name);
		String other = PropertyNode.uniform(known);
		return distance(one, other) <= Math.max(1, Math.min(one.length(), other.length()) / 3);
	}

	/**
	 * An ending counts as one letter: 'matches' means 'match' sooner than 'matcher'.
	 */
	private static int unlikeness(String name, String known) {
		return (hasOtherEnd(name, known)) ? 1 : distance(name, known);
	}

	private static boolean hasOtherEnd(String name, String known) {
		return Math.abs(name.length() - known.length()) <= ENDING && Math.min(name.length(), known.length()) > ENDING
				&& (name.startsWith(known) || known.startsWith(name));
	}

	/**
	 * How many characters to insert, delete, replace or swap to get from one name to the
	 * other.
	 */
	private static int distance(String one, String other) {
		int[][] steps = new int[one.length() + 1][other.length() + 1];
		for (int i = 0; i <= one.length(); i++) {
			for (int j = 0; j <= other.length(); j++) {
				if (i == 0 || j == 0) {
					steps[i][j] = i + j;
					continue;
				}
				int replaced = (one.charAt(i - 1) != other.charAt(j - 1)) ? 1 : 0;
				int best = Math.min(steps[i - 1][j - 1] + replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
				if (i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2)
						&& one.charAt(i - 2) == other.charAt(j - 1)) {
					best = Math.min(best, steps[i - 2][j - 2] + 1);
				}
				steps[i][j] = best;
			}
		}
		return steps[one.length()][other.length()];
	}

}
