package io.agenthooks.spring.external;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.SecretCheck;

/**
 * Checks the options that each endpoint has, be it asked or only notified.
 *
 * @since 0.1.0
 */
public final class EndpointOptions {

	private static final String SECRET_PREFIX = "whsec_";

	private EndpointOptions() {
	}

	/**
	 * Check an address.
	 * @param text what is written, or {@code null}
	 * @param problems gets everything that is wrong
	 * @return the address, or {@code null} if it is none
	 */
	public static @Nullable URI url(@Nullable String text, List<Problem> problems) {
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
	 * Check the secrets that messages are signed with.
	 * @param option the name of the option
	 * @param secrets what is written, or {@code null} for no signature
	 * @param problems gets everything that is wrong
	 * @return the keys
	 */
	public static List<byte[]> signingKeys(String option, @Nullable String secrets, List<Problem> problems) {
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

}
