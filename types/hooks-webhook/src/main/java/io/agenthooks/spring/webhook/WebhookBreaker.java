package io.agenthooks.spring.webhook;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.HookHealth;

/**
 * Keeps calls from asking an endpoint that was out too often, so that they do not wait
 * for it. Used by many threads.
 */
interface WebhookBreaker {

	WebhookBreaker NONE = new WebhookBreaker() {
	};

	/** Whether a call that would ask now is not going to. */
	default boolean isOpen() {
		return false;
	}

	/** Begin to ask, which has to be {@linkplain #leave left} again. */
	default boolean tryEnter() {
		return true;
	}

	default void leave(Outcome outcome) {
	}

	default HookHealth.Report report(HookHealth.Report asked) {
		return asked;
	}

	/**
	 * The maker of breakers where Resilience4j is, which stops the start where it is not.
	 */
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

	/** Makes breakers. */
	@FunctionalInterface
	interface Maker {

		WebhookBreaker make(String name, WebhookSettings settings);

	}

	/** The outcome of asking. */
	enum Outcome {

		/** The endpoint is there, whatever it answered. */
		ANSWERED,

		/** It is not. */
		OUTAGE,

		/** Unknown: the caller was interrupted, or the application ends. */
		NONE

	}

}
