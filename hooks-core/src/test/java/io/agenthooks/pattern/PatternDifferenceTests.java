package io.agenthooks.pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link PatternSet} and {@link PatternFinder} find what Java's engine finds,
 * no less and no more.
 */
class PatternDifferenceTests {

	@Test
	void findAgreesWithJavaOnRandomPatterns() {
		Differences differences = new Differences(Long.getLong("fuzz.seed", 11)).run(Long.getLong("fuzz.searches", 150_000));
		System.out.println(differences);
		assertThat(differences.examples()).as(differences.toString()).isEmpty();
	}

}
