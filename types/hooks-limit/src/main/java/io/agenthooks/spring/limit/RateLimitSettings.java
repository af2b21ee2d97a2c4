package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * A {@link RateLimitConfig} that was checked and completed.
 *
 * @param groups the limits, at least one, by what they count
 * @param maxKeys how many keys are counted at most
 */
record RateLimitSettings(List<LimitGroup> groups, OnMissingKey missing, RateLimitConfig.Count count,
		RateLimitConfig.Then then, int maxKeys, Duration forgetAfter) {

	private static final int MAX_LIMITS = 10;

	private static final Duration DEFAULT_FORGET_AFTER = Duration.ofDays(1);

	private static final String EXAMPLE = "Write it like \"3 per session\", \"10 per 1m\" or \"100 per 1d burst 20\".";

	static RateLimitSettings of(RateLimitConfig config, KeyReader.Expressions expressions) {
		List<Problem> problems = new ArrayList<>();
		List<WrittenLimit> limits = limits(config.limit(), problems);
		List<LimitGroup> groups = new KeyReader(expressions, problems).read(config.key(), config.keyExpression(),
				limits);
		int maxKeys = KeyBounds.maxKeys(config.maxKeys(), problems);
		Duration forgetAfter = forgetAfter(config.forgetAfter(), limits, problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new RateLimitSettings(groups, Objects.requireNonNullElse(config.missing(), OnMissingKey.DENY),
				Objects.requireNonNullElse(config.count(), RateLimitConfig.Count.DECIDED),
				Objects.requireNonNullElse(config.then(), RateLimitConfig.Then.DENY), maxKeys, forgetAfter);
	}

	private static List<WrittenLimit> limits(@Nullable List<String> written, List<Problem> problems) {
		if (written == null || written.isEmpty()) {
			problems.add(new Problem(List.of("limit"), "The limit is missing.", EXAMPLE));
			return List.of();
		}
		if (written.size() > MAX_LIMITS) {
			problems.add(new Problem(List.of("limit"), "There are more than %d limits.".formatted(MAX_LIMITS),
					"Leave out those that others include."));
			return List.of();
		}
		List<WrittenLimit> limits = new ArrayList<>();
		for (int i = 0; i < written.size(); i++) {
			try {
				limits.add(WrittenLimit.of(written.get(i)));
			}
			catch (IllegalArgumentException ex) {
				List<String> place = (written.size() == 1) ? List.of("limit") : List.of("limit", String.valueOf(i));
				problems.add(new Problem(place, String.valueOf(ex.getMessage()), EXAMPLE));
			}
		}
		return limits;
	}

	private static Duration forgetAfter(@Nullable Duration written, List<WrittenLimit> limits, List<Problem> problems) {
		if (written != null && !limits.isEmpty() && limits.stream().noneMatch((limit) -> limit.period() == null)) {
			problems.add(new Problem(List.of("forget_after"),
					"All limits come back by themselves, so nothing is forgotten after a time.",
					"Remove it, or write a limit such as \"3 per session\"."));
			return written;
		}
		return KeyBounds.forgetAfter(written, DEFAULT_FORGET_AFTER, "session", problems);
	}

}
