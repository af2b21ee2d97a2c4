package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Sha256;

/** A {@link LoopConfig} that was checked and completed. */
record LoopSettings(LoopSteps repeats, LoopSteps pingPong, LoopSteps failures, LoopSteps calls, OnMissingKey missing,
		int maxRuns, Duration forgetAfter, LoopConfig.Per per) {

	private static final int DEFAULT_RUNS = 10_000;

	private static final int MAX_RUNS = 1_000_000;

	private static final Duration DEFAULT_FORGET_AFTER = Duration.ofHours(1);

	private static final Duration MAX_FORGET_AFTER = Duration.ofDays(366);

	static LoopSettings of(LoopConfig config) {
		List<Problem> problems = new ArrayList<>();
		int maxRuns = Objects.requireNonNullElse(config.maxRuns(), DEFAULT_RUNS);
		LoopSettings settings = new LoopSettings(
				LoopSteps.of(config.repeats(), LoopSteps.DEFAULTS, "repeats", 2, problems),
				LoopSteps.of(config.pingPong(), LoopSteps.DEFAULTS, "ping_pong", 4, problems),
				LoopSteps.of(config.failures(), LoopSteps.DEFAULTS, "failures", 1, problems),
				LoopSteps.of(config.calls(), LoopSteps.NEVER, "calls", 1, problems),
				Objects.requireNonNullElse(config.missing(), OnMissingKey.DENY), maxRuns,
				Objects.requireNonNullElse(config.forgetAfter(), DEFAULT_FORGET_AFTER),
				Objects.requireNonNullElse(config.per(), LoopConfig.Per.RUN));
		if (maxRuns < 1 || maxRuns > MAX_RUNS) {
			problems.add(new Problem(List.of("max_runs"), "The max_runs is not from 1 to %d.".formatted(MAX_RUNS),
					"Write how many runs are remembered, like %d.".formatted(DEFAULT_RUNS)));
		}
		Duration forgetAfter = settings.forgetAfter;
		if (forgetAfter.isZero() || forgetAfter.isNegative() || forgetAfter.compareTo(MAX_FORGET_AFTER) > 0) {
			problems
				.add(new Problem(List.of("forget_after"), "The forget_after is not above zero and at most 366 days.",
						"Write how long after its last call a run is over, like 1h."));
		}
		if (problems.isEmpty() && settings.repeats.isNever() && settings.pingPong.isNever()
				&& settings.failures.isNever() && settings.calls.isNever()) {
			problems.add(new Problem(List.of(), "All numbers are 0, so the hook would approve every call.",
					"Leave out those that may keep their defaults, or remove the hook."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return settings;
	}

	/**
	 * The name that tells runs from those of other hooks, in a store that nodes share.
	 * With other numbers they are the same, and go on.
	 */
	static String entry(String hook) {
		return Sha256.hex("loop\n" + hook);
	}

}
