package io.agenthooks.spring.answer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * A {@link CacheConfig} that was checked and completed.
 *
 * @param scope whose calls are answered; unless said otherwise those of the session, so
 * that no caller gets what a tool returned to another one
 */
record CacheSettings(Duration ttl, CacheConfig.Scope scope, int maxEntries) {

	private static final Duration DEFAULT_TTL = Duration.ofMinutes(10);

	private static final Duration MAX_TTL = Duration.ofDays(30);

	private static final int DEFAULT_ENTRIES = 1_000;

	private static final int MAX_ENTRIES = 1_000_000;

	static CacheSettings of(CacheConfig config) {
		List<Problem> problems = new ArrayList<>();
		CacheSettings settings = new CacheSettings(ttl(config.ttl(), problems),
				Objects.requireNonNullElse(config.scope(), CacheConfig.Scope.SESSION),
				maxEntries(config.maxEntries(), problems));
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return settings;
	}

	private static Duration ttl(@Nullable Duration ttl, List<Problem> problems) {
		Duration used = Objects.requireNonNullElse(ttl, DEFAULT_TTL);
		if (used.isZero() || used.isNegative() || used.compareTo(MAX_TTL) > 0) {
			problems.add(new Problem(List.of("ttl"), "The ttl is not above zero and at most 30 days.",
					"Write how long a result is an answer, like 30s, 10m or 1d."));
		}
		return used;
	}

	private static int maxEntries(@Nullable Integer entries, List<Problem> problems) {
		int used = Objects.requireNonNullElse(entries, DEFAULT_ENTRIES);
		if (used < 1 || used > MAX_ENTRIES) {
			problems
				.add(new Problem(List.of("max_entries"), "The max_entries is not from 1 to %d.".formatted(MAX_ENTRIES),
						"Write how many results are kept, like %d.".formatted(DEFAULT_ENTRIES)));
		}
		return used;
	}

}
