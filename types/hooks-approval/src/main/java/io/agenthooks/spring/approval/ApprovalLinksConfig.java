package io.agenthooks.spring.approval;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.SecretCheck;

/**
 * The options of {@code hooks.approval.links}.
 *
 * @param secret Secret of 32 characters or more that links are signed with.
 * @param formerSecrets Secrets that links were signed with before. Such links still work;
 * no new ones are signed with them.
 * @param baseUrl Address under which people reach the application, with its context path
 * if it has one.
 * @param validFor Time that a link works; it never works longer than its question waits.
 */
record ApprovalLinksConfig(@Nullable String secret, @Nullable List<String> formerSecrets, @Nullable String baseUrl,
		@Nullable Duration validFor) {

	static final Duration DEFAULT_VALID_FOR = Duration.ofHours(1);

	static final Duration MAX_VALID_FOR = Duration.ofDays(7);

	private static final int MAX_FORMER = 10;

	private static final int MAX_URL = 500;

	private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

	/** Find what is wrong. */
	void check(List<Problem> problems) {
		checkSecret(List.of("links", "secret"), this.secret, problems);
		List<String> former = Objects.requireNonNullElse(this.formerSecrets, List.of());
		for (int i = 0; i < former.size(); i++) {
			checkSecret(List.of("links", "former_secrets", String.valueOf(i)), former.get(i), problems);
		}
		if (former.size() > MAX_FORMER) {
			problems.add(new Problem(List.of("links", "former_secrets"), "has too many secrets",
					"Remove those of links that no longer work."));
		}
		String mistake = mistakeOf(this.baseUrl);
		if (mistake != null) {
			problems.add(new Problem(List.of("links", "base_url"), mistake,
					"Write the address under which people reach the application, such as 'https://agents.example.com'."));
		}
		if (this.validFor != null
				&& (this.validFor.compareTo(Duration.ofMinutes(1)) < 0 || this.validFor.compareTo(MAX_VALID_FOR) > 0)) {
			problems.add(new Problem(List.of("links", "valid_for"), "is out of range",
					"Write a time from 1m to 7d, such as 1h."));
		}
	}

	/** Anyone who can guess a secret can decide as any person. */
	private static void checkSecret(List<String> path, @Nullable String secret, List<Problem> problems) {
		String mistake = SecretCheck.mistake(secret);
		if (mistake != null) {
			problems.add(new Problem(path, mistake, SecretCheck.action()));
		}
	}

	/**
	 * Why no link can begin with this, or {@code null}. Who reads a link can use it, so
	 * it must not travel in plain text.
	 */
	private static @Nullable String mistakeOf(@Nullable String baseUrl) {
		if (baseUrl == null) {
			return "is missing";
		}
		URI url;
		try {
			url = new URI(baseUrl);
		}
		catch (URISyntaxException ex) {
			return "is not an address";
		}
		if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null
				|| url.getRawFragment() != null || baseUrl.length() > MAX_URL) {
			return "is not just scheme, host, port and path";
		}
		return (isPrivate(url)) ? null : "does not begin with https://";
	}

	/** Whether nobody reads on the way what is sent to an address. */
	static boolean isPrivate(URI url) {
		return "https".equalsIgnoreCase(url.getScheme())
				|| ("http".equalsIgnoreCase(url.getScheme()) && THIS_MACHINE.contains(url.getHost()));
	}

	/** All secrets, the active one first. */
	List<String> secrets() {
		List<String> all = new ArrayList<>(List.of(Objects.requireNonNull(this.secret)));
		all.addAll(Objects.requireNonNullElse(this.formerSecrets, List.of()));
		return all;
	}

	/** The beginning of links, without a slash at its end. */
	String base() {
		return Objects.requireNonNull(this.baseUrl).replaceFirst("/+$", "");
	}

	Duration validForOrDefault() {
		return Objects.requireNonNullElse(this.validFor, DEFAULT_VALID_FOR);
	}

	/** The options without secrets. */
	@Override
	public String toString() {
		return "ApprovalLinksConfig[baseUrl=%s, validFor=%s]".formatted(this.baseUrl, this.validFor);
	}

}
