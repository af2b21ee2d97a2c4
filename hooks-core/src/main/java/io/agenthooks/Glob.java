package io.agenthooks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * A shell-style pattern for names, exactly as CPython's {@code fnmatch.fnmatchcase}:
 * {@code *} matches anything, also dots, slashes and line breaks, {@code ?} one
 * character, {@code [seq]} one of, {@code [!seq]} one not of. The whole name has to
 * match, and case counts. A character is a Unicode code point.
 *
 * @since 0.1.0
 * @see <a href="https://docs.python.org/3/library/fnmatch.html">fnmatch</a>
 */
public final class Glob implements Predicate<String> {

	private static final int ANYTHING = -1;

	/** A part of this value is followed by the position of a {@link Seq}. */
	private static final int SEQ = -2;

	private static final Seq ANY_CHARACTER = new Seq(true);

	private final String pattern;

	/** Code points to be met one by one, {@link #ANYTHING}, or {@link #SEQ}. */
	private final int[] parts;

	private final List<Seq> seqs = new ArrayList<>();

	private Glob(String pattern) {
		this.pattern = pattern;
		this.parts = parse(pattern.codePoints().toArray());
	}

	/**
	 * Compile a pattern.
	 * @param pattern the pattern
	 * @return the glob
	 * @throws InvalidHookConfigException if the pattern is certainly a
	 * {@linkplain GlobMistake mistake}, such as a regular expression
	 */
	public static Glob of(String pattern) {
		check(pattern);
		return exactly(pattern);
	}

	static Glob exactly(String pattern) {
		return new Glob(pattern);
	}

	private static void check(String pattern) {
		GlobMistake mistake = GlobMistake.find(pattern, NameKind.ANY);
		if (mistake != null) {
			throw new InvalidHookConfigException(
					List.of(new InvalidHookConfigException.Problem(List.of(), mistake.message(), mistake.action())));
		}
	}

	/**
	 * Whether any of some patterns matches.
	 * @param patterns the patterns
	 * @return a test of a name
	 * @throws InvalidHookConfigException if a pattern is certainly a
	 * {@linkplain GlobMistake mistake}, such as a regular expression
	 */
	public static Predicate<String> anyOf(String... patterns) {
		return anyOf(Arrays.asList(patterns));
	}

	/**
	 * Whether any of some patterns matches.
	 * @param patterns the patterns
	 * @return a test of a name
	 * @throws InvalidHookConfigException if a pattern is certainly a
	 * {@linkplain GlobMistake mistake}, such as a regular expression
	 */
	public static Predicate<String> anyOf(Collection<String> patterns) {
		patterns.forEach(Glob::check);
		return anyExactly(patterns);
	}

	static Predicate<String> anyExactly(Collection<String> patterns) {
		List<Glob> globs = patterns.stream().map(Glob::exactly).toList();
		return (name) -> globs.stream().anyMatch((glob) -> glob.test(name));
	}

	/**
	 * Whether this is a name, which matches nothing else.
	 * @return whether it has no wildcard
	 */
	public boolean isName() {
		return Arrays.stream(this.parts).allMatch((part) -> part >= 0);
	}

	/**
	 * Only the last star met is ever given more of the name: what an earlier one could
	 * take, the last can take as well.
	 */
	@Override
	public boolean test(String name) {
		int part = 0;
		int afterStar = -1;
		int starEnd = 0;
		for (int i = 0; i < name.length();) {
			int character = name.codePointAt(i);
			if (part < this.parts.length && this.parts[part] == ANYTHING) {
				afterStar = ++part;
				starEnd = i;
			}
			else if (part < this.parts.length && matches(this.parts[part], character)) {
				part++;
				i += Character.charCount(character);
			}
			else if (afterStar >= 0) {
				part = afterStar;
				starEnd += Character.charCount(name.codePointAt(starEnd));
				i = starEnd;
			}
			else {
				return false;
			}
		}
		while (part < this.parts.length && this.parts[part] == ANYTHING) {
			part++;
		}
		return part == this.parts.length;
	}

	private boolean matches(int part, int character) {
		return (part >= 0) ? part == character : this.seqs.get(SEQ - part).contains(character);
	}

	@Override
	public String toString() {
		return this.pattern;
	}

	private int[] parse(int[] text) {
		int[] parts = new int[text.length];
		int count = 0;
		for (int i = 0; i < text.length; i++) {
			switch (text[i]) {
				case '*' -> {
					if (count == 0 || parts[count - 1] != ANYTHING) {
						parts[count++] = ANYTHING;
					}
				}
				case '?' -> {
					parts[count++] = add(ANY_CHARACTER);
				}
				case '[' -> {
					int end = endOfSeq(text, i + 1);
					if (end < 0) {
						parts[count++] = '[';
					}
					else {
						parts[count++] = add(Seq.of(Arrays.copyOfRange(text, i + 1, end)));
						i = end;
					}
				}
				default -> {
					parts[count++] = text[i];
				}
			}
		}
		return Arrays.copyOf(parts, count);
	}

	private int add(Seq seq) {
		this.seqs.add(seq);
		return SEQ - (this.seqs.size() - 1);
	}

	/**
	 * The place of the {@code ]} that closes a seq; -1 if none does, so the {@code [}
	 * stands for itself.
	 */
	private static int endOfSeq(int[] text, int start) {
		int i = start;
		if (i < text.length && text[i] == '!') {
			i++;
		}
		if (i < text.length && text[i] == ']') {
			i++;
		}
		while (i < text.length && text[i] != ']') {
			i++;
		}
		return (i < text.length) ? i : -1;
	}

	static int endOfSeq(String text, int start) {
		return endOfSeq(text.chars().toArray(), start);
	}

	private static final class Seq {

		private final boolean negated;

		/** First and last code point of each range, in turn. */
		private final int[] ranges;

		Seq(boolean negated, int... ranges) {
			this.negated = negated;
			this.ranges = ranges;
		}

		/**
		 * CPython cuts the text at each hyphen that makes a range, drops ranges that run
		 * backwards, and only then looks whether the rest starts with {@code !}.
		 */
		static Seq of(int[] text) {
			List<int[]> chunks = cut(text);
			for (int i = chunks.size() - 1; i > 0; i--) {
				int[] before = chunks.get(i - 1);
				int[] chunk = chunks.get(i);
				if (before[before.length - 1] > chunk[0]) {
					int[] merged = Arrays.copyOf(before, before.length + chunk.length - 2);
					System.arraycopy(chunk, 1, merged, before.length - 1, chunk.length - 1);
					chunks.set(i - 1, merged);
					chunks.remove(i);
				}
			}
			boolean negated = chunks.get(0).length > 0 && chunks.get(0)[0] == '!';
			return new Seq(negated, ranges(chunks, negated));
		}

		private static List<int[]> cut(int[] text) {
			List<int[]> chunks = new ArrayList<>();
			int start = 0;
			int i = (text[0] == '!') ? 2 : 1;
			while (i < text.length) {
				if (text[i] == '-' && i < text.length - 1) {
					chunks.add(Arrays.copyOfRange(text, start, i));
					start = i + 1;
					i += 3;
				}
				else {
					i++;
				}
			}
			chunks.add(Arrays.copyOfRange(text, start, text.length));
			return chunks;
		}

		private static int[] ranges(List<int[]> chunks, boolean negated) {
			List<Integer> ranges = new ArrayList<>();
			for (int i = 0; i < chunks.size(); i++) {
				int[] chunk = chunks.get(i);
				for (int j = (i == 0 && negated) ? 1 : 0; j < chunk.length; j++) {
					ranges.add(chunk[j]);
					ranges.add(chunk[j]);
				}
				if (i > 0) {
					int[] before = chunks.get(i - 1);
					ranges.add(before[before.length - 1]);
					ranges.add(chunk[0]);
				}
			}
			return ranges.stream().mapToInt(Integer::intValue).toArray();
		}

		boolean contains(int character) {
			for (int i = 0; i < this.ranges.length; i += 2) {
				if (character >= this.ranges[i] && character <= this.ranges[i + 1]) {
					return !this.negated;
				}
			}
			return this.negated;
		}

	}

}
