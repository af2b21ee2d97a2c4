package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Sha256;
import io.agenthooks.spring.external.OptionLimits;

/** A {@link LoopConfig} that was checked and completed. */
record LoopSettings(LoopSteps repeats, LoopSteps pingPong, LoopSteps failures, LoopSteps calls, OnMissingKey missing,
		int maxRuns, Duration forgetAfter, LoopConfig.Per per) {

	static LoopSettings of(LoopConfig config) {
		List<Problem> problems = new ArrayList<>();
		LoopSettings settings = new LoopSettings(
				LoopSteps.of(config.repeats(), LoopSteps.DEFAULTS, "repeats", 2, problems),
				LoopSteps.of(config.pingPong(), LoopSteps.DEFAULTS, "ping_pong", 4, problems),
				LoopSteps.of(config.failures(), LoopSteps.DEFAULTS, "failures", 1, problems),
				LoopSteps.of(config.calls(), LoopSteps.NEVER, "calls", 1, problems),
				Objects.requireNonNullElse(config.missing(), OnMissingKey.DENY),
				new OptionLimits(problems).number("max_runs", config.maxRuns(), 10_000, 1, 1_000_000),
				KeyBounds.forgetAfter(config.forgetAfter(), Duration.ofHours(1), "run", problems),
				Objects.requireNonNullElse(config.per(), LoopConfig.Per.RUN));
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

	/** In a store that nodes share. With other numbers runs are the same, and go on. */
	static String entry(String hook) {
		return Sha256.hex("loop\n" + hook);
	}

}
