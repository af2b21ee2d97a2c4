package io.agenthooks.spring.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.SecretCheck;
import io.agenthooks.spring.external.SentUser;

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
 */
record WebhookSettings(URI url, @Nullable String authHeader, Duration timeout, boolean failOpen,
		boolean failOpenByDefault, boolean notifications, int maxResponseBytes, int maxConcurrent,
		List<byte[]> signingKeys, SentUser sent, @Nullable BreakerSettings breaker) {

	private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

	private static final DataSize DEFAULT_RESPONSE_SIZE = DataSize.ofKilobytes(256);

	private static final DataSize MAX_RESPONSE_SIZE = DataSize.ofMegabytes(64);

	private static final int DEFAULT_CONCURRENT = 64;

	private static final int MAX_CONCURRENT = 10_000;

	private static final String SECRET_PREFIX = "whsec_";

	/**
	 * Check a configuration, all of it, and fill in the defaults.
	 * @throws InvalidHookConfigException if anything in it is wrong
	 */
	static WebhookSettings of(WebhookConfig config) {
		List<Problem> problems = new ArrayList<>();
		URI url = url(config.url(), problems);
		String authHeader = authHeader(config.authHeader(), problems);
		Duration timeout = timeout(config.timeout(), problems);
		int maxResponseBytes = maxResponseBytes(config.maxResponseSize(), problems);
		int maxConcurrent = maxConcurrent(config.maxConcurrent(), problems);
		List<byte[]> signingKeys = signingKeys("signing_secret", config.signingSecret(), problems);
		SentUser sent = SentUser.of(config.sendUser(), problems);
		BreakerSettings breaker = (config.circuitBreaker() != null)
				? BreakerSettings.of(config.circuitBreaker(), problems) : null;
		if (url == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new WebhookSettings(url, authHeader, timeout, !Boolean.FALSE.equals(config.failOpen()),
				config.failOpen() == null, !Boolean.FALSE.equals(config.notifications()), maxResponseBytes,
				maxConcurrent, signingKeys, sent, breaker);
	}

	/**
	 * Check an endpoint that is only notified, with the limits of any other.
	 * @return {@code null} if it has no address
	 */
	static @Nullable WebhookSettings toTell(@Nullable String address, @Nullable String secret, List<Problem> problems) {
		URI url = url(address, problems);
		List<byte[]> signingKeys = signingKeys(WebhookTarget.SECRET, secret, problems);
		return (url != null)
				? new WebhookSettings(url, null, DEFAULT_TIMEOUT, false, false, true,
						(int) DEFAULT_RESPONSE_SIZE.toBytes(), 1, signingKeys, SentUser.of(null, problems), null)
				: null;
	}

	private static @Nullable URI url(@Nullable String text, List<Problem> problems) {
		String action = "Write the address of the endpoint, like https://hooks.example.com/tool-calls.";
		if (text == null || text.isBlank()) {
			problems.add(new Problem(List.of("url"), "The url is missing.", action));
			return null;
		}
		URI url;
		try {
			url = new URI(text);
		}
		catch (URISyntaxException ex) {
			problems.add(new Problem(List.of("url"), "The url is not a valid address.", action));
			return null;
		}
		String scheme = (url.getScheme() != null) ? url.getScheme().toLowerCase(Locale.ROOT) : "";
		if (!scheme.equals("http") && !scheme.equals("https")) {
			problems.add(new Problem(List.of("url"), "The url does not start with http:// or https://.", action));
			return null;
		}
		if (url.getRawAuthority() != null && url.getRawAuthority().contains("@")) {
			problems.add(new Problem(List.of("url"), "The url holds a user name or password.",
					"Remove everything up to the '@', and write the credentials to auth_header."));
		}
		else if (url.getHost() == null) {
			problems.add(new Problem(List.of("url"), "The url has no valid host name.",
					action + " A host name has no underscore, and is in ASCII."));
		}
		if (url.getPort() == 0 || url.getPort() > 65535) {
			problems.add(new Problem(List.of("url"), "The url has a port that does not exist.",
					"Write a port from 1 to 65535, or none."));
		}
		if (url.getRawFragment() != null) {
			problems.add(new Problem(List.of("url"), "The url has a fragment, which is never sent.",
					"Remove the '#' and what follows it."));
		}
		return url;
	}

	/**
	 * An empty header is none, as in PulseBot, whose default it is.
	 */
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

	private static int maxResponseBytes(@Nullable DataSize size, List<Problem> problems) {
		DataSize used = Objects.requireNonNullElse(size, DEFAULT_RESPONSE_SIZE);
		if (used.toBytes() < 1 || used.compareTo(MAX_RESPONSE_SIZE) > 0) {
			problems.add(new Problem(List.of("max_response_size"), "The max_response_size is not from 1B to 64MB.",
					"Write the size of the largest answer, like 256KB."));
			return 0;
		}
		return (int) used.toBytes();
	}

	private static int maxConcurrent(@Nullable Integer calls, List<Problem> problems) {
		int used = Objects.requireNonNullElse(calls, DEFAULT_CONCURRENT);
		if (used < 1 || used > MAX_CONCURRENT) {
			problems.add(new Problem(List.of("max_concurrent"),
					"The max_concurrent is not from 1 to %d.".formatted(MAX_CONCURRENT),
					"Write how many calls may wait for the endpoint at the same time, like 64."));
		}
		return used;
	}

	private static List<byte[]> signingKeys(String option, @Nullable String secrets, List<Problem> problems) {
		List<byte[]> keys = new ArrayList<>();
		if (secrets == null) {
			return keys;
		}
		for (String secret : secrets.split(" ", -1)) {
			byte[] key = decode((secret.startsWith(SECRET_PREFIX)) ? secret.substring(SECRET_PREFIX.length()) : secret);
			String mistake = mistakeOf(secret, key);
			if (mistake != null) {
				problems.add(new Problem(List.of(option), "The %s %s.".formatted(option, mistake),
						"Copy the secret of the endpoint, or make one: whsec_ and the output of 'openssl rand -base64 32'."));
				return keys;
			}
			keys.add(key);
		}
		return keys;
	}

	private static @Nullable String mistakeOf(String secret, byte[] key) {
		if (key.length < 24 || key.length > 64) {
			return "is not 24 to 64 bytes in Base64, with or without 'whsec_' before";
		}
		String guessed = SecretCheck.guessed(key);
		return (guessed != null) ? guessed : SecretCheck.guessed(secret.replaceFirst("=+$", ""));
	}

	private static byte[] decode(String base64) {
		try {
			return Base64.getDecoder().decode(base64);
		}
		catch (IllegalArgumentException ex) {
			return new byte[0];
		}
	}

	/**
	 * The settings without addresses and secrets.
	 */
	@Override
	public String toString() {
		return "WebhookSettings[timeout=%s, failOpen=%s]".formatted(this.timeout, this.failOpen);
	}

}
