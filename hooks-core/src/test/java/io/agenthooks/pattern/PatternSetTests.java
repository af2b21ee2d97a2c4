package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PatternSet}: it ends, whatever the text. That it finds what Java finds
 * is in {@link PatternDifferenceTests}.
 */
class PatternSetTests {

	private static final int FLAGS = Pattern.DOTALL | Pattern.UNICODE_CASE;

	private static final long CELLS = 1 << 20;

	/** So few that states are dropped all the time. */
	private static final long FEW_CELLS = 0;

	private static final PatternReader READER = new PatternReader();

	@Test
	void findAgreesWithRe2OnRealPatterns() {
		findAgreesWithRe2(200);
	}

	@Test
	@Tag("slow")
	void findAgreesWithRe2OnManyTexts() {
		findAgreesWithRe2(1500);
	}

	private static void findAgreesWithRe2(int texts) {
		List<String> patterns = RealPatterns.of(300);
		PatternSet set = set(CELLS, patterns.toArray(String[]::new));
		List<com.google.re2j.Pattern> others = patterns.stream()
			.map((pattern) -> com.google.re2j.Pattern.compile(pattern, com.google.re2j.Pattern.DOTALL))
			.toList();
		int found = 0;
		for (String text : RealPatterns.nearMisses(patterns, texts)) {
			String first = null;
			for (int i = 0; i < others.size() && first == null; i++) {
				first = (others.get(i).matcher(text).find()) ? patterns.get(i) : null;
			}
			assertThat(find(set, text)).as(text).isEqualTo(first);
			found += (first != null) ? 1 : 0;
		}
		assertThat(found).isBetween(texts / 15, texts - texts / 15);
	}

	@Test
	void findWhenSeveralPatternsMatchNamesFirstListed() {
		PatternSet set = set(CELLS, "x{30}", "b", "a", "x{20}");
		assertThat(find(set, "ab")).isEqualTo("b");
		assertThat(find(set, "a" + "x".repeat(29))).isEqualTo("a");
		assertThat(find(set, "a" + "x".repeat(30))).isEqualTo("x{30}");
		assertThat(find(set, "x".repeat(29))).isEqualTo("x{20}");
	}

	@Test
	void findWhenCountersAreLargeCountsExactly() {
		PatternSet set = set(CELLS, "k.{40,50}e[0-9]{32}\\b");
		for (int gap = 38; gap < 53; gap++) {
			for (int digits = 31; digits < 34; digits++) {
				String text = "k" + "-".repeat(gap) + "e" + "7".repeat(digits) + "!";
				assertThat(find(set, text) != null).as(text).isEqualTo(gap >= 40 && gap <= 50 && digits == 32);
			}
		}
	}

	@Test
	@Timeout(60)
	void findWhenEachTextLeadsToNewStatesAgreesAndForgets() {
		String pattern = "[ab]*a[ab]{9}c|(?:x[ax]{3,12}){2}z";
		PatternSet few = set(FEW_CELLS, pattern);
		PatternSet many = set(CELLS, pattern);
		Pattern expected = Pattern.compile(pattern, FLAGS);
		RandomRegexes random = new RandomRegexes(3);
		for (int i = 0; i < 3000; i++) {
			StringBuilder builder = new StringBuilder();
			for (int j = 0; j < 40; j++) {
				builder.append(random.oneOf("a", "b", "x", "a", "b", "x", "c", "z"));
			}
			String text = builder.toString();
			String found = (expected.matcher(text).find()) ? pattern : null;
			assertThat(find(few, text)).as(text).isEqualTo(found);
			assertThat(find(many, text)).as(text).isEqualTo(found);
		}
	}

	@Test
	@Timeout(60)
	void findWhenBudgetEndsThrows() {
		PatternSet set = set(FEW_CELLS, "x[ax]{300}b");
		RandomRegexes random = new RandomRegexes(5);
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 500_000; i++) {
			text.append(random.oneOf("a", "x"));
		}
		text.append('b');
		assertThatExceptionOfType(Budget.ExhaustedException.class)
			.isThrownBy(() -> set.find(text.toString(), new Budget(1_000_000)));
		assertThat(find(set, "ab")).isNull();
	}

	@Test
	@Timeout(60)
	void findByManyThreadsAgreesWithOne() throws Exception {
		List<String> patterns = RealPatterns.of(200);
		List<String> texts = RealPatterns.nearMisses(patterns, 400);
		PatternSet alone = set(CELLS, patterns.toArray(String[]::new));
		List<@Nullable String> expected = new ArrayList<>();
		texts.forEach((text) -> expected.add(find(alone, text)));
		for (long cells : new long[] { FEW_CELLS, CELLS }) {
			PatternSet shared = set(cells, patterns.toArray(String[]::new));
			int threads = 8;
			CyclicBarrier start = new CyclicBarrier(threads);
			ExecutorService executor = Executors.newFixedThreadPool(threads);
			try {
				List<Future<List<@Nullable String>>> results = new ArrayList<>();
				for (int i = 0; i < threads; i++) {
					results.add(executor.submit(() -> {
						start.await();
						List<@Nullable String> found = new ArrayList<>();
						texts.forEach((text) -> found.add(find(shared, text)));
						return found;
					}));
				}
				for (Future<List<@Nullable String>> result : results) {
					assertThat(result.get()).isEqualTo(expected);
				}
			}
			finally {
				executor.shutdownNow();
			}
		}
	}

	private static @Nullable String find(PatternSet set, String text) {
		TextPattern found = set.find(text, new Budget());
		return (found != null) ? found.toString() : null;
	}

	private static PatternSet set(long cells, String... patterns) {
		return new PatternSet(Stream.of(patterns).map(READER::read).toList(), cells);
	}

}
