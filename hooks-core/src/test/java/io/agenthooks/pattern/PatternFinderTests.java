package io.agenthooks.pattern;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.pattern.PatternFinder.Part;
import io.agenthooks.pattern.PatternFinder.Target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PatternFinder}: it finds every character that is part of any match.
 * That it finds what Java finds is in {@link PatternDifferenceTests}.
 */
class PatternFinderTests {

	private static final long CELLS = 1 << 20;

	private static final PatternReader READER = new PatternReader();

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "abc; xabcx; xXXXx", "a+; baaab; bXXXb", "a{2}; aaa; XXX", "a.*?b; xaxbxb; xXXXXX",
					"aba; ababa; XXXXX", "\\bcat\\b; cat cats; XXX cats", "^a; aa; Xa", "a$; aa; aX", "x; abc; abc",
					"\\d{6}; 12345678; XXXXXXXX", "(?i)KEY-\\w+; my key-1, Key-2; my XXXXX, XXXXX", "a|b; cabc; cXXc",
					"\\p{L}+@; münd@x; XXXXXx" })
	void findTellsEveryCharacterOfAnyMatch(String pattern, String text, String expected) {
		assertThat(mark(finder(target(null, pattern, null)), text)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "key=; \\w+; ``; key=abc k=abc; key=XXX k=abc", "://[^:]*:; [^/]+; @; x://a:b@c@d; x://a:XXX@d",
					"<p>; [^<]+; </p>; <p>a</p><p>b<p>c</p>; <p>X</p><p>b<p>X</p>", "a+; a; ``; aaaa; aXXX",
					"``; b; c; bc bd; Xc bd", "k; v+; v; kvvv; kXXv", "\\A; a; ``; aa; Xa" })
	void findWhenThereAreSurroundingsLeavesThemOut(String before, String pattern, String after, String text,
			String expected) {
		assertThat(mark(finder(target(before, pattern, after)), text)).isEqualTo(expected);
	}

	@Test
	void findWhenSeveralPatternsMatchTellsEach() {
		PatternFinder finder = finder(target(null, "abc", null), target(null, "c+d", null), target("d", "e", null));
		assertThat(finder.find("abccde abc", new Budget())).containsExactly(new Part(0, 0, 3), new Part(1, 2, 5),
				new Part(2, 5, 6), new Part(0, 7, 10));
	}

	@Test
	void findWhenCharactersAreSurrogatePairsDoesNotSplitThem() {
		PatternFinder finder = finder(target("a", ".", "b"), target(null, "\\x{1F600}+", null));
		assertThat(finder.find("a\uD83D\uDE00b\uD83D\uDE00\uD83D\uDE00", new Budget()))
			.containsExactly(new Part(0, 1, 3), new Part(1, 1, 3), new Part(1, 4, 8));
	}

	@Test
	@Timeout(60)
	void findWhenTextIsLongEndsWithinBudget() {
		PatternFinder finder = finder(target(null, "a.*b|a", null), target("k", "[^;]*", ";"));
		String text = "a".repeat(500_000) + "k".repeat(500_000);
		assertThat(finder.find(text, new Budget())).containsExactly(new Part(0, 0, 500_000));
		assertThatExceptionOfType(Budget.ExhaustedException.class)
			.isThrownBy(() -> finder.find("ab".repeat(1_000_000), new Budget(1_000_000)));
	}

	@Test
	void isFoundWithoutCharactersTellsPatternsThatMatchNothing() {
		assertThat(List.of("a*", "^", "\\b", "a*|b", "(?:a?)+", "^\\B$", "a{0}"))
			.allMatch((pattern) -> READER.read(pattern).isFoundWithoutCharacters());
		assertThat(List.of("a", "^a", "a+", "a*b", "\\b.", "a|b"))
			.noneMatch((pattern) -> READER.read(pattern).isFoundWithoutCharacters());
	}

	private static Target target(@Nullable String before, String pattern, @Nullable String after) {
		return new Target(read(before), READER.read(pattern), read(after));
	}

	private static @Nullable TextPattern read(@Nullable String pattern) {
		return (pattern != null && !pattern.isEmpty()) ? READER.read(pattern) : null;
	}

	private static PatternFinder finder(Target... targets) {
		return new PatternFinder(List.of(targets), CELLS);
	}

	private static String mark(PatternFinder finder, String text) {
		StringBuilder marked = new StringBuilder(text);
		for (Part part : finder.find(text, new Budget())) {
			marked.replace(part.start(), part.end(), "X".repeat(part.end() - part.start()));
		}
		return marked.toString();
	}

}
