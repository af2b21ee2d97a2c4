package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

import io.agenthooks.spring.dialect.HookSystem;

/**
 * The {@code config} of a {@code webhook} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param url Address that calls are posted to; http or https.
 * @param authHeader Value of the Authorization header, sent as it is.
 * @param timeout Time that the whole exchange may take, at most five minutes; without a
 * unit in seconds.
 * @param failOpen Whether a call passes when the endpoint cannot be reached or is
 * overloaded. An answer that is not a valid verdict denies in any case.
 * @param notifications Whether an endpoint listed under 'pre_call' also learns how calls
 * ended. It does unless set, but not with 'for'.
 * @param notifyUnaskedArguments Whether an endpoint listed under 'pre_call' learns the
 * arguments of a call, too, that ended before it was asked.
 * @param maxResponseSize Largest answer that is read, after decompression.
 * @param maxConcurrent Number of calls that may wait for the endpoint at the same time.
 * @param signingSecret Secret that requests are signed with, as the Standard Webhooks
 * specification says: 'whsec_' and 24 to 64 bytes in Base64. Several, separated by a
 * space, give a signature each.
 * @param sendUser What is sent of the user beside the name: 'authorities', and 'claims.'
 * with the name of a claim. Nothing unless set.
 * @param circuitBreaker Whether and when the endpoint is not asked for a while, because
 * it was out too often; never unless written. Needs Resilience4j.
 * @param system System whose messages and answers the endpoint knows. Those of PulseBot
 * unless set.
 * @param requireDecision Whether an answer that says nothing denies; only with 'for', as
 * it always does without.
 */
record WebhookConfig(@Nullable String url, @Nullable String authHeader,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout, @Nullable Boolean failOpen,
		@Name("notify") @Nullable Boolean notifications, @Nullable Boolean notifyUnaskedArguments,
		@Nullable DataSize maxResponseSize, @Nullable Integer maxConcurrent, @Nullable String signingSecret,
		@Nullable List<String> sendUser, @Nullable CircuitBreaker circuitBreaker,
		@Name("for") @Nullable HookSystem system, @Nullable Boolean requireDecision) {

	/**
	 * The configuration without its secrets: the query of the address may be one too.
	 */
	@Override
	public String toString() {
		return "WebhookConfig[url=%s, authHeader=%s, timeout=%s, failOpen=%s, notify=%s, notifyUnaskedArguments=%s, maxResponseSize=%s, maxConcurrent=%s, signingSecret=%s]"
			.formatted(withoutSecrets(this.url), masked(this.authHeader), this.timeout, this.failOpen,
					this.notifications, this.notifyUnaskedArguments, this.maxResponseSize, this.maxConcurrent,
					masked(this.signingSecret));
	}

	private static @Nullable String withoutSecrets(@Nullable String url) {
		return (url != null) ? url.replaceFirst("(?s)//[^/?#]*@", "//***@").replaceFirst("(?s)[?#].*", "?***") : null;
	}

	private static @Nullable String masked(@Nullable String secret) {
		return (secret != null) ? "***" : null;
	}

	/**
	 * The circuit breaker of the endpoint. What is {@code null} was not written.
	 *
	 * @param failureRate Percentage of outages among the last calls from which on the
	 * endpoint is not asked.
	 * @param lastCalls Number of last calls that are looked at.
	 * @param minimumCalls Number of calls before anything is decided.
	 * @param openFor Time for which the endpoint is not asked; without a unit in seconds.
	 * @param trialCalls Number of calls that then try it again.
	 */
	record CircuitBreaker(@Nullable Integer failureRate, @Nullable Integer lastCalls, @Nullable Integer minimumCalls,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration openFor, @Nullable Integer trialCalls) {

	}

}
