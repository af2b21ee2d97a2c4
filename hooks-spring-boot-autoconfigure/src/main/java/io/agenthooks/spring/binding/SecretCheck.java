package io.agenthooks.spring.binding;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Tells secrets that others can guess: short ones, few characters again and again, and
 * the placeholders of examples. Never says what it read.
 *
 * @since 0.1.0
 */
public final class SecretCheck {

	/** The least number of characters of a secret. */
	public static final int MIN_LENGTH = 32;

	private static final String ACTION = "Write %d random characters or more, such as those of 'openssl rand -hex 32'."
		.formatted(MIN_LENGTH);

	private static final String REPEATED = "is the same few characters again and again, which can be guessed";

	/** Random hexadecimal digits are hardly ever fewer different ones. */
	private static final int MIN_DIFFERENT = 8;

	/** The least that has to be left when all words are taken out. */
	private static final int MIN_LEFT = 16;

	private static final Pattern WORDS = Pattern.compile("(?i)placeholder|characters?|production|development|"
			+ "changeit|changed|change|replace|password|passw0rd|passphrase|secrets?|signing|default|example|sample|"
			+ "insecure|testing|random|please|minimum|webhook|qwertyuiop|asdfghjkl|zxcvbnm|1234567890|audit|agent|"
			+ "hooks?|string|value|short|least|super|links?|token|admin|todo|fixme|bytes|chars?|should|enough|"
			+ "spring|local|dummy|demo|test|prod|very|your|long|must|here|this|that|with|some|then|than|only|"
			+ "not|and|for|the|key|app|foo|bar|baz|abc|top|our|dev|use|too|one|two|xyz|me|my|is|it|in|to|of|at|be|"
			+ "an|or|do|so|32|64|[^\\p{L}\\p{N}]");

	private SecretCheck() {
	}

	/**
	 * Tell what is wrong with a secret.
	 * @param secret the secret
	 * @return the end of a sentence that begins with the name of the option, or
	 * {@code null} if nothing is wrong
	 */
	public static @Nullable String mistake(@Nullable String secret) {
		String mistake = tooShort(secret);
		return (mistake != null || secret == null) ? mistake : guessed(secret);
	}

	/**
	 * Tell whether a secret is missing or too short.
	 * @param secret the secret
	 * @return the end of a sentence, or {@code null} if it is long enough
	 */
	public static @Nullable String tooShort(@Nullable String secret) {
		if (secret == null || secret.isBlank()) {
			return "is missing";
		}
		return (secret.length() < MIN_LENGTH) ? "is too short" : null;
	}

	/**
	 * Tell why bytes can be guessed, whatever their number.
	 * @param secret the bytes
	 * @return the end of a sentence, or {@code null} if there is no reason
	 */
	public static @Nullable String guessed(byte[] secret) {
		String text = new String(secret, StandardCharsets.ISO_8859_1);
		if (text.chars().allMatch((c) -> c >= ' ' && c <= '~')) {
			return guessed(text);
		}
		return (text.chars().distinct().count() < MIN_DIFFERENT) ? REPEATED : null;
	}

	/**
	 * Tell why a secret can be guessed, whatever its length.
	 * @param secret the secret
	 * @return the end of a sentence, or {@code null} if there is no reason
	 */
	public static @Nullable String guessed(String secret) {
		if (secret.chars().distinct().count() < MIN_DIFFERENT) {
			return REPEATED;
		}
		String left = WORDS.matcher(secret).replaceAll("");
		return (left.length() < MIN_LEFT || left.chars().distinct().count() < MIN_DIFFERENT)
				? "is a placeholder of examples, which can be guessed" : null;
	}

	public static String action() {
		return ACTION;
	}

}
