package io.agenthooks.pattern;

import java.util.Random;

/**
 * Patterns of Java's syntax and texts that they nearly match, always the same for a seed.
 */
final class RandomRegexes {

	private static final String[] CHARACTERS = { "a", "b", "c", "k", "s", "A", "i", "1", "_", "-", " ", "\\n", "\\r",
			"\u00E9", "\uD83D\uDE00" };

	private static final String[] CLASSES = { "[ab]", "[^a]", "[a-c]", "[^\\w]", "[\\s\\d]", "[\\W]", "[^\\Wk]", "[]a]",
			"[^]a]", "[a-]", "[-a]", "[a&&b]", "[a-c&&[^b]]", "[a[bc]]", "[\\x61-\\x63]", "[\uD83D\uDE00-\uD83D\uDE02]",
			"[a^]", "[\u00E9-\u00FC]", "[k-s]", "[^k-s]", "[\\p{L}1]", "[\\\\a]", "[a\\-c]", "[[]a]", "[a-c[k]]",
			"[a&b]", "[^a-c[^k]]" };

	private static final String[] ESCAPES = { "\\w", "\\W", "\\d", "\\s", "\\S", "\\D", "\\p{L}", "\\p{Lu}", "\\P{Ll}",
			"\\h", "\\v", "\\x{61}", "\\u0061", "\\0141", "\\cJ", "\\t", "\\pL", "\\QaB\\E", "\\Q.*\\E" };

	private static final String[] ANCHORS = { "^", "$", "\\A", "\\z", "\\Z", "\\b", "\\B" };

	private static final String[] GROUPS = { "(", "(?:", "(?i:", "(?m:", "(?-s:", "(?<name>", "(?im:", "(?s:" };

	private static final String[] FLAGS = { "(?i)", "(?m)", "(?-s)", "(?-i)", "(?mi)" };

	private static final String[] QUANTIFIERS = { "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{2,4}",
			"{5}", "{0}", "{4,6}?", "{0,5}", "{0,20}", "{18}" };

	private static final String[] TEXTS = { "a", "b", "c", "k", "K", "s", "S", "\u212A", "\u017F", "A", "B", "\u00E9",
			"\u00C9", "-", " ", "\n", "\r", "\r\n", "\u0085", "\u2028", "1", "_", "\uD83D\uDE00", "\uD83D\uDE02",
			"\uD83D", "i", "I", "\u0131", "\u0130", "\u000B", "\u00A0", "]", "[", "^", "\\", "aaaaa", ".",
			"abababababababababababab" };

	private static final String[] ENDS = { "", "", "", "\n", "\r\n", "\r", "\u2029" };

	private final Random random;

	RandomRegexes(long seed) {
		this.random = new Random(seed);
	}

	String pattern() {
		return choice(3);
	}

	private String choice(int depth) {
		StringBuilder choice = new StringBuilder(sequence(depth));
		while (this.random.nextInt(4) == 0) {
			choice.append('|').append(sequence(depth));
		}
		return choice.toString();
	}

	private String sequence(int depth) {
		StringBuilder sequence = new StringBuilder();
		for (int i = this.random.nextInt(4); i > 0; i--) {
			if (this.random.nextInt(40) == 0) {
				sequence.append(oneOf(FLAGS));
				continue;
			}
			sequence.append(part(depth));
			if (this.random.nextInt(3) == 0) {
				sequence.append(oneOf(QUANTIFIERS));
			}
		}
		return sequence.toString();
	}

	private String part(int depth) {
		int kind = this.random.nextInt(30);
		if (kind < 12 || depth == 0) {
			return oneOf(CHARACTERS);
		}
		if (kind < 14) {
			return ".";
		}
		if (kind < 18) {
			return oneOf(CLASSES);
		}
		if (kind < 22) {
			return oneOf(ESCAPES);
		}
		return (kind < 25) ? oneOf(ANCHORS)
				: oneOf(GROUPS).replace("name", "n" + this.random.nextInt(1_000_000)) + choice(depth - 1) + ")";
	}

	String text() {
		StringBuilder text = new StringBuilder();
		for (int i = this.random.nextInt(9); i > 0; i--) {
			text.append(oneOf(TEXTS));
		}
		return text.append(oneOf(ENDS)).toString();
	}

	String oneOf(String... texts) {
		return texts[this.random.nextInt(texts.length)];
	}

}
