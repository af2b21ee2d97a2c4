package io.agenthooks.spring.webhook;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.external.EndpointOptions;
import io.agenthooks.spring.external.OptionLimits;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.external.WebhookTarget;

/**
 * A {@link WebhookConfig} that was checked and completed.
 *
 * @param url where calls are posted to
 * @param authHeader the value of the Authorization header, or {@code null} for none
 * @param timeout how long an exchange may take
 * @param failOpen whether an outage approves
 * @param failOpenByDefault whether that was not written in the configuration
 * @param notifications whether the endpoint learns how calls ended
 * @param maxResponseBytes the largest answer that is read
 * @param maxConcurrent how many calls may wait at the same time
 * @param signingKeys the keys that requests are signed with, none for no signature
 * @param sent what the endpoint gets to know of the user
 * @param breaker when the endpoint is not asked for a while, or {@code null} for never
 * @param system whose words the endpoint speaks, or {@code null} for ours
 * @param requireDecision whether an answer that says nothing denies in these words, too
 */
record WebhookSettings(URI url, @Nullable String authHeader, Duration timeout, boolean failOpen,
		boolean failOpenByDefault, boolean notifications, int maxResponseBytes, int maxConcurrent,
		List<byte[]> signingKeys, SentUser sent, @Nullable BreakerSettings breaker, @Nullable HookSystem system,
		boolean requireDecision) {

	private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

	private static final DataSize DEFAULT_RESPONSE_SIZE = DataSize.ofKilobytes(256);

	static WebhookSettings of(WebhookConfig config) {
		return of(config, notifies(config));
	}

	static WebhookSettings of(WebhookConfig config, boolean notifies) {
		List<Problem> problems = new ArrayList<>();
		URI url = EndpointOptions.url(config.url(), problems);
		String authHeader = authHeader(config.authHeader(), problems);
		Duration timeout = timeout(config.timeout(), problems);
		OptionLimits limits = new OptionLimits(problems);
		int maxResponseBytes = limits.bytes("max_response_size",
				Objects.requireNonNullElse(config.maxResponseSize(), DEFAULT_RESPONSE_SIZE));
		int maxConcurrent = limits.number("max_concurrent", config.maxConcurrent(), 64, 1, 10_000);
		List<byte[]> signingKeys = EndpointOptions.signingKeys("signing_secret", config.signingSecret(), problems);
		SentUser sent = SentUser.of(config.sendUser(), problems);
		BreakerSettings breaker = (config.circuitBreaker() != null)
				? BreakerSettings.of(config.circuitBreaker(), problems) : null;
		if (config.system() == null && config.requireDecision() != null) {
			problems.add(new Problem(List.of("require_decision"),
					"The require_decision has a meaning only with 'for': without it every answer has to decide.",
					"Remove it."));
		}
		if (url == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new WebhookSettings(url, authHeader, timeout, !Boolean.FALSE.equals(config.failOpen()),
				config.failOpen() == null, notifies, maxResponseBytes, maxConcurrent, signingKeys, sent, breaker,
				config.system(), Boolean.TRUE.equals(config.requireDecision()));
	}

	/**
	 * In other systems an endpoint is asked about the events that it is written for, and
	 * does not know others.
	 */
	static boolean notifies(WebhookConfig config) {
		return Objects.requireNonNullElse(config.notifications(), config.system() == null);
	}

	/** For an endpoint that is only notified. */
	static WebhookSettings of(WebhookTarget target) {
		return new WebhookSettings(target.url(), null, DEFAULT_TIMEOUT, false, false, true,
				(int) DEFAULT_RESPONSE_SIZE.toBytes(), 1, target.signingKeys(), SentUser.of(null, new ArrayList<>()),
				null, null, false);
	}

	/** An empty header is none, as in PulseBot, whose default it is. */
	private static @Nullable String authHeader(@Nullable String text, List<Problem> problems) {
		if (text == null || text.isEmpty()) {
			return null;
		}
		if (text.chars().anyMatch((c) -> c < ' ' || c > '~')) {
			problems.add(new Problem(List.of("auth_header"),
					"The auth_header holds a line break, another control character or a character beyond ASCII.",
					"Check where the value comes from; a file with Windows line ends leaves a carriage return."));
		}
		else if (!text.equals(text.strip())) {
			problems.add(new Problem(List.of("auth_header"), "The auth_header starts or ends with white space.",
					"Remove it, and check that the secret after it is not empty."));
		}
		return text;
	}

	private static Duration timeout(@Nullable Duration timeout, List<Problem> problems) {
		if (timeout == null) {
			return DEFAULT_TIMEOUT;
		}
		if (timeout.isZero() || timeout.isNegative()) {
			problems.add(new Problem(List.of("timeout"), "The timeout is not above 0.",
					"Write how long a call may wait for the endpoint, like 750ms or 5s."));
		}
		else if (timeout.compareTo(MAX_TIMEOUT) > 0) {
			String action = "Write at most 300s.";
			Duration inMillis = timeout.dividedBy(1000);
			if (timeout.toSeconds() >= 1000 && inMillis.compareTo(MAX_TIMEOUT) <= 0) {
				action += " A number without a unit is in seconds; did you mean %dms?".formatted(inMillis.toMillis());
			}
			problems.add(new Problem(List.of("timeout"), "The timeout is over 300 seconds.", action));
		}
		return timeout;
	}

	@Override
	public String toString() {
		return "WebhookSettings[timeout=%s, failOpen=%s]".formatted(this.timeout, this.failOpen);
	}

}
