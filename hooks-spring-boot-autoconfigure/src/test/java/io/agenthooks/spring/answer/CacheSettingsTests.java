package io.agenthooks.spring.answer;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.answer.CacheConfig.Scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link CacheConfig} and {@link CacheSettings}.
 */
class CacheSettingsTests {

	@Test
	void defaultsKeepResultsWithinTheSession() {
		assertThat(CacheSettings.of(new CacheConfig(null, null, null)))
			.isEqualTo(new CacheSettings(Duration.ofMinutes(10), Scope.SESSION, 1_000));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0.000000001S", "PT1S", "P30D" })
	void ttlIsAccepted(Duration ttl) {
		assertThat(CacheSettings.of(new CacheConfig(ttl, null, null)).ttl()).isEqualTo(ttl);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "P30DT0.001S", "P100000000D" })
	void ttlIsRefused(Duration ttl) {
		assertThat(problems(new CacheConfig(ttl, null, null))).singleElement()
			.extracting(Problem::path)
			.isEqualTo(List.of("ttl"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 1_000_001, Integer.MIN_VALUE })
	void maxEntriesIsRefused(int maxEntries) {
		assertThat(problems(new CacheConfig(null, null, maxEntries))).singleElement()
			.extracting(Problem::path)
			.isEqualTo(List.of("max_entries"));
	}

	@Test
	void allMistakesAreTold() {
		assertThat(problems(new CacheConfig(Duration.ZERO, null, 0))).hasSize(2);
	}

	private static List<Problem> problems(CacheConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> CacheSettings.of(config)).getProblems();
	}

}
