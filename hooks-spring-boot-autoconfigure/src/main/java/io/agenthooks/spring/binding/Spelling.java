package io.agenthooks.spring.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.agenthooks.SafeText;

/**
 * Suggests the known name that a misspelled name is closest to.
 *
 * @since 0.1.0
 */
public final class Spelling {

	private static final int ENDING = 2;

	/** The name of a parameter of which the compiler kept none. */
	private static final Pattern WITHOUT_NAME = Pattern.compile("arg\\d+");

	private static final int MAX_LISTED = 10;

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

	/**
	 * Say what to write in place of a name or value that there is not: the nearest one,
	 * or those that there are.
	 * @param name what is written
	 * @param known what there is
	 * @return a sentence
	 */
	public static String meant(String name, Collection<String> known) {
		if (!known.isEmpty() && known.stream().allMatch((each) -> WITHOUT_NAME.matcher(each).matches())) {
			return "Known are %s: compile with -parameters, so that arguments have the names of the parameters"
				.formatted(list(known));
		}
		String meant = didYouMean(name, known).strip();
		return (meant.isEmpty()) ? "Known are " + list(known) : SafeText.reason(meant);
	}

	private static String list(Collection<String> names) {
		List<String> sorted = new TreeSet<>(names).stream().map(SafeText::name).toList();
		return String.join(", ", sorted.subList(0, Math.min(MAX_LISTED, sorted.size())))
				+ ((sorted.size() > MAX_LISTED) ? " and %d others".formatted(sorted.size() - MAX_LISTED) : "");
	}

	static boolean isNear(String name, String known) {
		String one = PropertyNode.uniform(name);
		String other = PropertyNode.uniform(known);
		int most = Math.max(1, Math.min(one.length(), other.length()) / 3);
		return Math.abs(one.length() - other.length()) <= most && distance(one, other) <= most;
	}

	/** An ending counts as one letter: 'matches' means 'match' sooner than 'matcher'. */
	private static int unlikeness(String name, String known) {
		return (hasOtherEnd(name, known)) ? 1 : distance(name, known);
	}

	private static boolean hasOtherEnd(String name, String known) {
		return Math.abs(name.length() - known.length()) <= ENDING && Math.min(name.length(), known.length()) > ENDING
				&& (name.startsWith(known) || known.startsWith(name));
	}

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
