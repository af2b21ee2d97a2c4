package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

record BreakerSettings(int failureRate, int lastCalls, int minimumCalls, Duration openFor, int trialCalls) {

	private static final String NAME = "circuit_breaker";

	private static final Duration MAX_TIME = Duration.ofHours(1);

	private static final int MAX_CALLS = 10_000;

	static BreakerSettings of(WebhookConfig.CircuitBreaker config, List<Problem> problems) {
		int failureRate = number("failure_rate", config.failureRate(), 50, 100, problems);
		int lastCalls = number("last_calls", config.lastCalls(), 20, MAX_CALLS, problems);
		int minimumCalls = number("minimum_calls", config.minimumCalls(), Math.max(1, Math.min(10, lastCalls)),
				MAX_CALLS, problems);
		if (lastCalls > 0 && minimumCalls > lastCalls) {
			problems.add(new Problem(List.of(NAME, "minimum_calls"),
					"The minimum_calls are more than the last_calls, so the circuit would never open.",
					"Write at most %d, or more last_calls.".formatted(lastCalls)));
		}
		Duration openFor = Objects.requireNonNullElse(config.openFor(), Duration.ofSeconds(30));
		if (openFor.compareTo(Duration.ofMillis(1)) < 0 || openFor.compareTo(MAX_TIME) > 0) {
			problems.add(new Problem(List.of(NAME, "open_for"), "The open_for is not above 0 and at most one hour.",
					"Write how long the endpoint is not asked, like 30s."));
		}
		return new BreakerSettings(failureRate, lastCalls, minimumCalls, openFor,
				number("trial_calls", config.trialCalls(), 3, MAX_CALLS, problems));
	}

	private static int number(String name, @Nullable Integer written, int unwritten, int max, List<Problem> problems) {
		int number = Objects.requireNonNullElse(written, unwritten);
		if (number < 1 || number > max) {
			problems.add(new Problem(List.of(NAME, name), "The %s is not from 1 to %d.".formatted(name, max),
					"Write a number like %d.".formatted(unwritten)));
		}
		return number;
	}

}
