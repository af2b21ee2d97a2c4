package io.agenthooks.pattern;

import java.util.Random;
import java.util.stream.Stream;

/**
 * Patterns of Java's syntax and texts that they nearly match, always the same for a seed.
 */
final class RandomRegexes {

	/**
	 * What Java's engine has to be asked so that it means {@code \b} as ours does: an
	 * edge of a word either as Java 19 and later know it or as those before do.
	 */
	private static final String EDGE;

	private static final String NO_EDGE;

	static {
		// A mark counts as part of a word behind a letter or digit, unless one of them is
		// written as a surrogate pair: then Java does not find its way back.
		String base = "[\\p{L}\\p{Nd}&&[\\x{0}-\\x{FFFF}]]";
		String mark = "[\\p{Mn}&&[\\x{0}-\\x{FFFF}]]";
		String markBefore = "(?<=" + base + mark + "{1,40})";
		String markAfter = "(?<=" + base + mark + "{0,40})(?=\\p{Mn})";
		String edge = "";
		String noEdge = "";
		// Java looks back over surrogate pairs only if it sees one in the pattern.
		String unicodeWord = "[\\p{L}\\p{Nd}_&&[^\uDBFF\uDFFF]]";
		for (String word : new String[] { "[a-zA-Z0-9_]", unicodeWord }) {
			String before = "(?:(?<=" + word + ")|" + markBefore + ")";
			String after = "(?:(?=" + word + ")|" + markAfter + ")";
			edge += "|" + before + "(?!" + after + ")|(?!" + before + ")" + after;
			noEdge += "|" + before + after + "|(?!" + before + ")(?!" + after + ")";
		}
		EDGE = "(?-i:" + edge.substring(1) + ")";
		NO_EDGE = "(?-i:" + noEdge.substring(1) + ")";
	}

	/** Going back, Java does not read a repeated {@code \R} in another way. */
	private static final String LINE_BREAK = "(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])";

	private static final char AT_EDGE = '\uE000';

	private static final char AT_NO_EDGE = '\uE001';

	private static final char AT_LINE_BREAK = '\uE002';

	private static final String[] CHARACTERS = { "a", "b", "c", "k", "s", "A", "i", "1", "_", "-", " ", "\\n", "\\r",
			"\u00E9", "\u0301", "\uD83D\uDE00" };

	/**
	 * Characters with more than one other case, on the edges of what Java treats alike,
	 * and those that are part of a word or not by what stands before them.
	 */
	private static final String[] SPECIAL = { "K", "S", "I", "\u212A", "\u017F", "\u0130", "\u0131", "\u00C5", "\u00E5",
			"\u212B", "\u00B5", "\u03BC", "\u039C", "\u00FF", "\u0178", "\u03C3", "\u03C2", "\u03A3", "\u01C5",
			"\u01C6", "\u0345", "\u03B9", "\u1FBE", "\u10D0", "\u1C90", "\u13A0", "\uAB70", "\uD801\uDC00",
			"\uD801\uDC28", "\uD835\uDC9C", "\uD834\uDD67", "\u0301", "\u20DD", "\u0661", "\u00B2", "\u0100", "\uFFFF",
			"\uDBFF\uDFFF", "\u0085", "\u2028", "\u000B", "\u00A0", "\uD83D", "\uDE00", "\u4E00" };

	private static final String[] CLASSES = { "[ab]", "[^a]", "[a-c]", "[^\\w]", "[\\s\\d]", "[\\W]", "[^\\Wk]", "[]a]",
			"[^]a]", "[a-]", "[-a]", "[a&&b]", "[a-c&&[^b]]", "[a[bc]]", "[\\x61-\\x63]", "[\uD83D\uDE00-\uD83D\uDE02]",
			"[a^]", "[\u00E9-\u00FC]", "[k-s]", "[^k-s]", "[\\p{L}1]", "[\\\\a]", "[a\\-c]", "[[]a]", "[a-c[k]]",
			"[a&b]", "[^a-c[^k]]", "[\\v-z]", "[\\t-\\v]", "[\\v-]", "[^>\u0100-\uFFFF]", "[^\\x{0}-\\x{40}]",
			"[\\N{LATIN SMALL LETTER J}-l]", "[\\c]]", "[\\ud800-\\udbff]", "[a\\c][b]]" };

	private static final String[] ESCAPES = { "\\w", "\\W", "\\d", "\\s", "\\S", "\\D", "\\p{L}", "\\p{Lu}", "\\P{Ll}",
			"\\h", "\\v", "\\H", "\\V", "\\x{61}", "\\u0061", "\\0141", "\\cJ", "\\t", "\\pL", "\\QaB\\E", "\\Q.*\\E",
			"\\Q\\E", "\\Q1\\E", "\\p{Mn}", "\\p{IsGreek}", "\\x4b", "\\u017f", "\\N{KELVIN SIGN}",
			"\\N{LATIN SMALL LETTER A}", "\\ud83d\\ude00", "\\-", "\\e", "\\x{1F600}" };

	private static final String[] ANCHORS = { "^", "$", "\\A", "\\z", "\\Z", "" + AT_EDGE, "" + AT_NO_EDGE,
			"" + AT_EDGE, "" + AT_NO_EDGE };

	private static final String[] GROUPS = { "(", "(?:", "(?i:", "(?m:", "(?-s:", "(?<name>", "(?im:", "(?s:",
			"(?i-s:" };

	private static final String[] FLAGS = { "(?i)", "(?m)", "(?-s)", "(?-i)", "(?mi)" };

	private static final String[] QUANTIFIERS = { "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{2,4}",
			"{5}", "{0}", "{4,6}?", "{0,5}", "{0,20}", "{18}" };

	private static final String[] TEXTS = { "a", "b", "c", "k", "s", "A", "B", "\u00E9", "\u00C9", "-", " ", "\n", "\r",
			"\r\n", "\u0085", "\u2028", "1", "_", "\uD83D\uDE00", "\uD83D\uDE02", "i", "]", "[", "^", "\\", "aaaaa",
			".", "abababababababababababab", "\u0301", "a\u0301", "\u001D", "\u001B" };

	private static final String[] ENDS = { "", "", "", "\n", "\r\n", "\r", "\u2029" };

	private final Random random;

	RandomRegexes(long seed) {
		this.random = new Random(seed);
	}

	Written pattern() {
		return Written.of(((this.random.nextInt(3) == 0) ? oneOf("(?i)", "(?i)", "(?m)", "(?im)") : "") + choice(3));
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
			String part = part(depth);
			sequence.append(part);
			if (this.random.nextInt(3) == 0) {
				sequence
					.append((mayFindPlaces(part)) ? oneOf("*", "+", "?", "*?", "{0,2}", "{1,}") : oneOf(QUANTIFIERS));
			}
		}
		return sequence.toString();
	}

	/**
	 * Whether a part is a group with an anchor. Java ends a repetition with the first
	 * round that takes no character, so it does not find {@code (\Aa?){2}b} in
	 * {@code ab}, which is in there: the first round takes nothing, the second one
	 * {@code a}. Ours does.
	 */
	private static boolean mayFindPlaces(String part) {
		return part.startsWith("(") && Stream.of(ANCHORS).anyMatch((anchor) -> part.substring(1).contains(anchor));
	}

	private String part(int depth) {
		int kind = this.random.nextInt(34);
		if (kind < 10 || depth == 0) {
			return oneOf(CHARACTERS);
		}
		if (kind < 13) {
			return oneOf(SPECIAL);
		}
		if (kind < 15) {
			return ".";
		}
		if (kind < 17) {
			return oneOf(CLASSES);
		}
		if (kind < 20) {
			return characterClass(2);
		}
		if (kind < 23) {
			return oneOf(ESCAPES);
		}
		if (kind == 23) {
			return "" + AT_LINE_BREAK;
		}
		return (kind < 28) ? oneOf(ANCHORS)
				: oneOf(GROUPS).replace("name", "n" + this.random.nextInt(1_000_000)) + choice(depth - 1) + ")";
	}

	private String characterClass(int depth) {
		StringBuilder members = new StringBuilder(oneOf("[", "[", "[^"));
		for (int i = 1 + this.random.nextInt(3); i > 0; i--) {
			int kind = this.random.nextInt(20);
			if (kind < 7) {
				members.append(member());
			}
			else if (kind < 13) {
				int one = codePoint();
				int other = codePoint();
				members.append(member(Math.min(one, other))).append('-').append(member(Math.max(one, other)));
			}
			else if (kind < 16) {
				members.append(oneOf("\\w", "\\W", "\\d", "\\s", "\\S", "\\p{L}", "\\P{L}", "\\p{Lu}", "\\h", "\\v",
						"-", "&"));
			}
			else if (kind == 17 && depth > 0 && this.random.nextInt(5) == 0) {
				members.append(characterClass(depth - 1));
			}
			else if (kind == 18 && this.random.nextInt(5) == 0) {
				members.append("&&");
			}
		}
		return members.append(']').toString();
	}

	private String member() {
		return member(codePoint());
	}

	private String member(int codePoint) {
		return switch (this.random.nextInt(5)) {
			case 0 -> "\\x{%x}".formatted(codePoint);
			case 1 -> (codePoint > 0xFFFF) ? Character.toString(codePoint) : "\\u%04x".formatted(codePoint);
			case 2 -> (codePoint == 0x0B) ? "\\v"
					: (codePoint < ' ') ? "\\c" + (char) (codePoint ^ 64) : Character.toString(codePoint);
			default ->
				(Character.isISOControl(codePoint)) ? "\\x%02x".formatted(codePoint) : Character.toString(codePoint);
		};
	}

	private int codePoint() {
		return switch (this.random.nextInt(4)) {
			case 0, 1 -> ' ' + this.random.nextInt(0x60);
			case 2 -> oneOf(SPECIAL).codePointAt(0);
			default -> this.random.nextInt(0x250);
		};
	}

	String text() {
		StringBuilder text = new StringBuilder();
		for (int i = this.random.nextInt(9); i > 0; i--) {
			text.append((this.random.nextInt(3) == 0) ? oneOf(SPECIAL) : oneOf(TEXTS));
		}
		return text.append(oneOf(ENDS)).toString();
	}

	String oneOf(String... texts) {
		return texts[this.random.nextInt(texts.length)];
	}

	/**
	 * A pattern in two forms.
	 *
	 * @param pattern the pattern
	 * @param reference what means the same to Java's engine of any version, free of what
	 * our engine is documented to read otherwise
	 */
	record Written(String pattern, String reference) {

		private static Written of(String marked) {
			return new Written(replace(marked, "\\b", "\\B", "\\R"), replace(marked, EDGE, NO_EDGE, LINE_BREAK));
		}

		private static String replace(String marked, String edge, String noEdge, String lineBreak) {
			StringBuilder text = new StringBuilder();
			for (int i = 0; i < marked.length(); i++) {
				switch (marked.charAt(i)) {
					case AT_EDGE -> text.append(edge);
					case AT_NO_EDGE -> text.append(noEdge);
					case AT_LINE_BREAK -> text.append(lineBreak);
					default -> text.append(marked.charAt(i));
				}
			}
			return text.toString();
		}

	}

}
