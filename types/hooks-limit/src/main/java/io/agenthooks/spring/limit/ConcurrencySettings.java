package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Sha256;

/**
 * A {@link ConcurrencyConfig} that was checked and completed.
 *
 * @param maxConcurrent how many calls run at the same time at most
 */
record ConcurrencySettings(int maxConcurrent, LimitKey key, OnMissingKey missing, Duration timeout) {

	private static final int MAX = 100_000;

	/** More is a mistaken unit. The same limit as for the timeout of other hooks. */
	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

	static ConcurrencySettings of(ConcurrencyConfig config, KeyReader.Expressions expressions) {
		List<Problem> problems = new ArrayList<>();
		Integer max = config.maxConcurrent();
		if (max == null) {
			problems.add(new Problem(List.of("max_concurrent"), "The max_concurrent is missing.",
					"Write how many calls run at the same time at most."));
		}
		else if (max < 1 || max > MAX) {
			problems
				.add(new Problem(List.of("max_concurrent"), "The max_concurrent is not from 1 to %d.".formatted(MAX),
						"Write how many calls run at the same time at most; to deny all, use a policy."));
		}
		List<String> parts = (config.key() == null && config.keyExpression() == null) ? List.of("tool") : config.key();
		LimitKey key = new KeyReader(expressions, problems).readOne(parts, config.keyExpression(), List.of());
		Duration timeout = config.timeout();
		if (timeout != null && (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0)) {
			problems.add(new Problem(List.of("timeout"), "The timeout is below zero or above 5 minutes.",
					"Write how long a call waits, like 5s, or leave it out."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new ConcurrencySettings(Objects.requireNonNull(max), key,
				Objects.requireNonNullElse(config.missing(), OnMissingKey.DENY),
				Objects.requireNonNullElse(timeout, Duration.ZERO));
	}

	String tooMany(Slots slots) {
		if (slots.isClosed()) {
			return "The application ends, so no further call begins";
		}
		return "At most %d calls for %s may run at the same time, and %s. Try again later."
			.formatted(this.maxConcurrent, this.key.describe(), (this.timeout.isZero()) ? "as many are running"
					: "none of them has ended within %s".formatted(WaitText.of(this.timeout)));
	}

	/**
	 * In a store that nodes share. With another number at the same time they are the
	 * same.
	 */
	String entry(String hook) {
		return Sha256.hex(String.join("\n", "concurrency", hook, this.key.identity()));
	}

}
