package io.agenthooks.spring.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.event.CircuitBreakerOnStateTransitionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.spring.HookHealth;

/** The one class that knows this library. */
final class Resilience4jBreaker implements WebhookBreaker {

	private static final Logger logger = LoggerFactory.getLogger(Resilience4jBreaker.class);

	/** A slow call has failed by the timeout of the webhook. */
	private static final Duration NEVER_SLOW = Duration.ofDays(1);

	private final String name;

	private final boolean failOpen;

	private final Duration openFor;

	private final Clock clock;

	private final CircuitBreaker breaker;

	private volatile Instant openUntil = Instant.MIN;

	Resilience4jBreaker(String name, BreakerSettings settings, boolean failOpen, Clock clock) {
		this.name = name;
		this.failOpen = failOpen;
		this.openFor = settings.openFor();
		this.clock = clock;
		this.breaker = CircuitBreaker.of("hooks-" + name,
				CircuitBreakerConfig.custom()
					.failureRateThreshold(settings.failureRate())
					.slidingWindow(settings.lastCalls(), settings.minimumCalls(),
							CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
					.waitDurationInOpenState(settings.openFor())
					.permittedNumberOfCallsInHalfOpenState(settings.trialCalls())
					.slowCallDurationThreshold(NEVER_SLOW)
					.clock(clock)
					.build());
		this.breaker.getEventPublisher().onStateTransition(this::changed);
	}

	/**
	 * With a clock that nobody can set: if that of the system is set back, a circuit
	 * would stay open.
	 */
	static WebhookBreaker of(String name, WebhookSettings settings) {
		BreakerSettings breaker = settings.breaker();
		return (breaker != null) ? new Resilience4jBreaker(name, breaker, settings.failOpen(), new SteadyClock())
				: WebhookBreaker.NONE;
	}

	private void changed(CircuitBreakerOnStateTransitionEvent event) {
		switch (event.getStateTransition().getToState()) {
			case OPEN -> {
				this.openUntil = this.clock.instant().plus(this.openFor);
				logger.warn("Hook '{}': the circuit breaker is open: for {} ms the webhook is not asked, and calls {}",
						this.name, this.openFor.toMillis(), (this.failOpen) ? "pass" : "are denied");
			}
			case CLOSED ->
				logger.info("Hook '{}': the circuit breaker is closed: the webhook is asked again", this.name);
			default -> logger.debug("Hook '{}': the circuit breaker is {}", this.name,
					event.getStateTransition().getToState());
		}
	}

	/**
	 * When its time is over, the next call tries the endpoint; without one, the library
	 * goes on calling that open.
	 */
	@Override
	public boolean isOpen() {
		return this.breaker.getState() == CircuitBreaker.State.OPEN && this.clock.instant().isBefore(this.openUntil);
	}

	@Override
	public boolean tryEnter() {
		return this.breaker.tryAcquirePermission();
	}

	@Override
	public void leave(Outcome outcome) {
		switch (outcome) {
			case ANSWERED -> this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
			case OUTAGE -> this.breaker.onError(0, TimeUnit.NANOSECONDS, WebhookException.outage("An outage"));
			case NONE -> this.breaker.releasePermission();
		}
	}

	@Override
	public HookHealth.Report report(HookHealth.Report asked) {
		boolean open = isOpen();
		Map<String, Object> details = new LinkedHashMap<>(asked.details());
		CircuitBreaker.State state = this.breaker.getState();
		details.put("circuit_breaker",
				(state == CircuitBreaker.State.OPEN && !open) ? "half_open" : state.name().toLowerCase(Locale.ROOT));
		return new HookHealth.Report((open) ? HookHealth.State.DOWN : asked.state(), asked.failsOpen(), details);
	}

	private static final class SteadyClock extends Clock {

		private final Instant start = Instant.now();

		private final long startNanos = System.nanoTime();

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return this.start.plusNanos(System.nanoTime() - this.startNanos);
		}

	}

}
