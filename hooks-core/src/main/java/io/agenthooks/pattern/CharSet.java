package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A set of code points, as sorted ranges that neither overlap nor touch. */
final class CharSet {

	static final CharSet ALL = range(0, Character.MAX_CODE_POINT);

	/** Code points that a text holds as a pair of surrogates. */
	static final CharSet PAIRS = range(Character.MIN_SUPPLEMENTARY_CODE_POINT, Character.MAX_CODE_POINT);

	static final CharSet LINE_TERMINATORS = of('\n').or(of('\r')).or(of('\u0085')).or(range('\u2028', '\u2029'));

	static final CharSet DIGITS = range('0', '9');

	static final CharSet LETTERS_AND_DIGITS = ofAll(Character::isLetterOrDigit);

	/** Marks on the character before them, such as an accent. */
	static final CharSet MARKS = ofAll((codePoint) -> Character.getType(codePoint) == Character.NON_SPACING_MARK);

	static final CharSet WORD = DIGITS.or(range('A', 'Z')).or(range('a', 'z')).or(of('_'));

	static final CharSet SPACE = range('\t', '\r').or(of(' '));

	/** First and last code point of each range, in turn. */
	private final int[] ranges;

	private CharSet(int[] ranges) {
		this.ranges = ranges;
	}

	private static CharSet ofAll(IntPredicate members) {
		Builder set = new Builder();
		for (int first = 0; first <= Character.MAX_CODE_POINT; first++) {
			int last = first;
			while (members.test(last)) {
				last++;
			}
			if (last > first) {
				set.add(first, last - 1);
				first = last;
			}
		}
		return set.build();
	}

	static CharSet of(int codePoint) {
		return range(codePoint, codePoint);
	}

	static CharSet range(int first, int last) {
		return new CharSet(new int[] { first, last });
	}

	/**
	 * The characters that Java's own engine accepts for an expression of exactly one. So
	 * the meaning is Java's, and costs a walk through Unicode.
	 */
	static CharSet ofJava(String expression, int flags) {
		Matcher matcher = Pattern.compile(expression + "+", flags).matcher("");
		Builder builder = new Builder();
		for (int plane = 0; plane <= Character.MAX_CODE_POINT; plane += 0x10000) {
			if (plane > 0) {
				addRuns(matcher, plane, plane + 0xFFFF, builder);
				continue;
			}
			addRuns(matcher, 0, Character.MIN_SURROGATE - 1, builder);
			for (char surrogate = Character.MIN_SURROGATE; surrogate <= Character.MAX_SURROGATE; surrogate++) {
				if (matcher.reset(String.valueOf(surrogate)).matches()) {
					builder.add(surrogate, surrogate);
				}
			}
			addRuns(matcher, Character.MAX_SURROGATE + 1, 0xFFFF, builder);
		}
		return builder.build();
	}

	private static void addRuns(Matcher matcher, int first, int last, Builder builder) {
		StringBuilder text = new StringBuilder();
		for (int codePoint = first; codePoint <= last; codePoint++) {
			text.appendCodePoint(codePoint);
		}
		int width = Character.charCount(first);
		matcher.reset(text);
		while (matcher.find()) {
			builder.add(first + matcher.start() / width, first + matcher.end() / width - 1);
		}
	}

	CharSet or(CharSet other) {
		return new Builder().add(this).add(other).build();
	}

	CharSet negate() {
		Builder builder = new Builder();
		int next = 0;
		for (int i = 0; i < this.ranges.length; i += 2) {
			if (this.ranges[i] > next) {
				builder.add(next, this.ranges[i] - 1);
			}
			next = this.ranges[i + 1] + 1;
		}
		if (next <= Character.MAX_CODE_POINT) {
			builder.add(next, Character.MAX_CODE_POINT);
		}
		return builder.build();
	}

	/**
	 * The characters that Java finds for one with the flags CASE_INSENSITIVE and
	 * UNICODE_CASE, whatever the locale, where it stands among others: all that become
	 * the same in upper case and then in lower case. The Kelvin sign goes with k, the
	 * long s with s, the dotless i with i.
	 */
	static CharSet ofIgnoringCase(int codePoint) {
		int[] variants = Folding.VARIANTS.get(Folding.fold(codePoint));
		if (variants == null) {
			return of(codePoint);
		}
		Builder builder = new Builder();
		for (int variant : variants) {
			builder.add(variant, variant);
		}
		return builder.build();
	}

	/**
	 * The same where it stands alone, or in brackets: there Java takes a character that
	 * is the same in either case for itself only, so that it does not find the capital
	 * sharp s for the small one.
	 */
	static CharSet ofAloneIgnoringCase(int codePoint) {
		return (Folding.hasCase(codePoint)) ? ofIgnoringCase(codePoint) : of(codePoint);
	}

	/**
	 * The characters that Java finds for a range in brackets with these flags: all that
	 * are in it, or are in it in upper case, or in lower case then. That is less than all
	 * variants of its characters, for it finds none of s, i, k and U+00E5 for a range of
	 * which their rare variants U+017F, U+0131, U+212A and U+212B are a part; which
	 * matters where what is in brackets is negated.
	 */
	static CharSet rangeIgnoringCase(int first, int last) {
		CharSet range = range(first, last);
		Builder builder = new Builder().add(range);
		for (int codePoint : Folding.CHANGING) {
			if (range.contains(Character.toUpperCase(codePoint)) || range.contains(Folding.fold(codePoint))) {
				builder.add(codePoint, codePoint);
			}
		}
		return builder.build();
	}

	boolean intersects(int first, int last) {
		for (int i = 0; i < this.ranges.length; i += 2) {
			if (this.ranges[i] <= last && this.ranges[i + 1] >= first) {
				return true;
			}
		}
		return false;
	}

	boolean intersects(CharSet other) {
		for (int i = 0; i < this.ranges.length; i += 2) {
			if (other.intersects(this.ranges[i], this.ranges[i + 1])) {
				return true;
			}
		}
		return false;
	}

	boolean isEmpty() {
		return this.ranges.length == 0;
	}

	boolean contains(int codePoint) {
		int low = 0;
		int high = this.ranges.length / 2 - 1;
		while (low <= high) {
			int middle = (low + high) >>> 1;
			if (codePoint < this.ranges[2 * middle]) {
				high = middle - 1;
			}
			else if (codePoint > this.ranges[2 * middle + 1]) {
				low = middle + 1;
			}
			else {
				return true;
			}
		}
		return false;
	}

	int[] edges() {
		int[] edges = this.ranges.clone();
		for (int i = 1; i < edges.length; i += 2) {
			edges[i]++;
		}
		return edges;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof CharSet set && Arrays.equals(this.ranges, set.ranges);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.ranges);
	}

	static final class Builder {

		private final List<int[]> ranges = new ArrayList<>();

		Builder add(int first, int last) {
			this.ranges.add(new int[] { first, last });
			return this;
		}

		Builder add(CharSet set) {
			for (int i = 0; i < set.ranges.length; i += 2) {
				add(set.ranges[i], set.ranges[i + 1]);
			}
			return this;
		}

		CharSet build() {
			this.ranges.sort((a, b) -> Integer.compare(a[0], b[0]));
			int[] merged = new int[2 * this.ranges.size()];
			int length = 0;
			for (int[] range : this.ranges) {
				if (length > 0 && range[0] <= merged[length - 1] + 1) {
					merged[length - 1] = Math.max(merged[length - 1], range[1]);
				}
				else {
					merged[length++] = range[0];
					merged[length++] = range[1];
				}
			}
			return new CharSet(Arrays.copyOf(merged, length));
		}

	}

	/** The characters that have variants in case, by the one that stands for them. */
	private static final class Folding {

		static final Map<Integer, int[]> VARIANTS = new HashMap<>();

		static final int[] CHANGING = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
			.filter((codePoint) -> Character.toUpperCase(codePoint) != codePoint || fold(codePoint) != codePoint)
			.toArray();

		static {
			for (int codePoint : CHANGING) {
				if (fold(codePoint) != codePoint) {
					int[] known = VARIANTS.getOrDefault(fold(codePoint), new int[] { fold(codePoint) });
					int[] more = Arrays.copyOf(known, known.length + 1);
					more[known.length] = codePoint;
					VARIANTS.put(fold(codePoint), more);
				}
			}
		}

		static boolean hasCase(int codePoint) {
			return Character.toUpperCase(codePoint) != fold(codePoint);
		}

		static int fold(int codePoint) {
			return Character.toLowerCase(Character.toUpperCase(codePoint));
		}

	}

}
