package io.agenthooks.spring.webhook;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.HookHealth;

/**
 * Keeps calls from waiting for an endpoint that was out too often. Used by many threads.
 */
interface WebhookBreaker {

	WebhookBreaker NONE = new WebhookBreaker() {
	};

	default boolean isOpen() {
		return false;
	}

	/** To be {@linkplain #leave left} again. */
	default boolean tryEnter() {
		return true;
	}

	default void leave(Outcome outcome) {
	}

	default HookHealth.Report report(HookHealth.Report asked) {
		return asked;
	}

	/** Stops the start where Resilience4j is missing. */
	static Maker ofClassPath(@Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent("io.github.resilience4j.circuitbreaker.CircuitBreaker", classLoader)) {
			return Resilience4jBreaker::of;
		}
		return (name, settings) -> {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("circuit_breaker"),
					"needs Resilience4j, which is not on the class path",
					"Add the dependency io.github.resilience4j:resilience4j-circuitbreaker, or remove the option.")));
		};
	}

	@FunctionalInterface
	interface Maker {

		WebhookBreaker make(String name, WebhookSettings settings);

	}

	enum Outcome {

		/** Whatever it answered. */
		ANSWERED,

		OUTAGE,

		/** The caller was interrupted, or the application ends. */
		NONE

	}

}
