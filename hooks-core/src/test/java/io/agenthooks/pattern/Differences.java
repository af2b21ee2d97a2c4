package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.PatternFinder.Target;
import io.agenthooks.pattern.RandomRegexes.Written;

/**
 * Counts where our engine and Java's differ about random patterns.
 */
final class Differences {

	private static final int FLAGS = Pattern.DOTALL | Pattern.UNICODE_CASE;

	private static final int TEXTS = 8;

	/** A text so long is not cut into all its parts. */
	private static final int MAX_LENGTH = 14;

	private static final long CELLS = 1 << 20;

	/** So few that states are dropped all the time. */
	private static final long FEW_CELLS = 0;

	private static final int MAX_EXAMPLES = 30;

	private final RandomRegexes random;

	private PatternReader reader = new PatternReader();

	private final List<String> examples = new ArrayList<>();

	private int patterns;

	private int refused;

	private long searches;

	private long found;

	private long missed;

	private long tooMuch;

	private long regions;

	private long differentRegions;

	private int dead;

	Differences(long seed) {
		this.random = new RandomRegexes(seed);
	}

	/**
	 * Try patterns until there were so many searches.
	 */
	Differences run(long searches) {
		while (this.searches < searches) {
			Written written = this.random.pattern();
			Pattern java = javaPattern(written.pattern());
			Pattern reference = javaPattern(written.reference());
			if (java != null && reference != null) {
				compare(written.pattern(), java, reference);
			}
			if (this.patterns % 50_000 == 0) {
				this.reader = new PatternReader();
			}
		}
		return this;
	}

	private void compare(String pattern, Pattern java, Pattern reference) {
		TextPattern read;
		try {
			read = this.reader.read(pattern);
		}
		catch (UnusablePatternException ex) {
			this.refused++;
			if (String.valueOf(ex.getMessage()).startsWith("The pattern can be found in no text")) {
				this.dead++;
				compare(pattern, java, reference, null, null);
			}
			return;
		}
		boolean odd = (this.patterns++ & 1) != 0;
		List<TextPattern> list = (odd) ? List.of(this.reader.read("no such text"), read) : List.of(read);
		compare(pattern, java, reference, new PatternSet(list, (odd) ? CELLS : FEW_CELLS),
				new PatternFinder(list.stream().map((each) -> new Target(null, each, null)).toList(), CELLS));
	}

	private void compare(String pattern, Pattern java, Pattern reference, @Nullable PatternSet set,
			@Nullable PatternFinder finder) {
		for (int i = 0; i < TEXTS; i++) {
			String text = this.random.text();
			try {
				compare(pattern, text, java, reference, set, finder);
			}
			catch (LimitedText.TooLongException ex) {
				// Nobody knows what Java would have found.
			}
		}
	}

	private void compare(String pattern, String text, Pattern java, Pattern reference, @Nullable PatternSet set,
			@Nullable PatternFinder finder) {
		boolean expected = java.matcher(new LimitedText(text)).find()
				|| reference.matcher(new LimitedText(text)).find();
		boolean actual = set != null && set.find(text, new Budget()) != null;
		this.searches++;
		this.found += (expected) ? 1 : 0;
		if (expected != actual) {
			this.missed += (expected) ? 1 : 0;
			this.tooMuch += (actual) ? 1 : 0;
			example((expected) ? "missed" : "too much", pattern, text);
		}
		if (!expected || finder == null || text.length() > MAX_LENGTH || startsInsidePair(pattern, text)) {
			return;
		}
		BitSet covered = covered(java, text);
		covered.or(covered(reference, text));
		BitSet marked = new BitSet();
		finder.find(text, new Budget()).forEach((part) -> marked.set(part.start(), part.end()));
		this.regions++;
		if (!covered.equals(marked)) {
			this.differentRegions++;
			example("regions " + covered + " but " + marked, pattern, text);
		}
	}

	/**
	 * Whether Java may begin a match between the two surrogates of one character. All of
	 * that is marked then, which no part of the text that Java is asked for is.
	 */
	private static boolean startsInsidePair(String pattern, String text) {
		return pattern.contains("\\B") && text.codePoints().anyMatch(Character::isSupplementaryCodePoint);
	}

	/**
	 * Every character that is part of any match.
	 */
	private static BitSet covered(Pattern pattern, String text) {
		BitSet covered = new BitSet();
		Matcher matcher = pattern.matcher(new LimitedText(text)).useTransparentBounds(true).useAnchoringBounds(false);
		for (int start = 0; start < text.length(); start = text.offsetByCodePoints(start, 1)) {
			for (int end = start; end < text.length();) {
				end = text.offsetByCodePoints(end, 1);
				if (matcher.region(start, end).matches()) {
					covered.set(start, end);
				}
			}
		}
		return covered;
	}

	private static @Nullable Pattern javaPattern(String pattern) {
		try {
			return Pattern.compile(pattern, FLAGS);
		}
		catch (PatternSyntaxException ex) {
			return null;
		}
	}

	private void example(String what, String pattern, String text) {
		if (this.examples.size() < MAX_EXAMPLES) {
			this.examples.add("%s: /%s/ in \"%s\"".formatted(what, visible(pattern), visible(text)));
		}
	}

	private static String visible(String text) {
		StringBuilder visible = new StringBuilder();
		text.codePoints()
			.forEach((character) -> visible.append((character >= ' ' && character < 0x7F)
					? Character.toString(character) : "<%x>".formatted(character)));
		return visible.toString();
	}

	int patterns() {
		return this.patterns;
	}

	long found() {
		return this.found;
	}

	long regions() {
		return this.regions;
	}

	List<String> examples() {
		return this.examples;
	}

	@Override
	public String toString() {
		return "%,d searches for %,d patterns (%,d refused, %,d of them because no text can hold them): %,d found, %,d missed, %,d found too much; %,d searches for regions: %,d different"
			.formatted(this.searches, this.patterns, this.refused, this.dead, this.found, this.missed, this.tooMuch,
					this.regions, this.differentRegions);
	}

}
