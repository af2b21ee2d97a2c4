package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The texts that are taken out, and their replacements.
 *
 * @param detectors Names of the detectors that search, of 'secret', 'password', 'card',
 * 'email', 'phone', 'iban', 'ssn' and 'ip', the first four unless set; an empty list
 * leaves only the patterns.
 * @param patterns Regular expressions for whatever else must not be seen, by a name that
 * stands in its place.
 * @param strategy What is put into the place of what was found, or that what holds it is
 * denied.
 * @since 0.1.0
 */
public record RedactConfig(@Nullable List<String> detectors, @Nullable Map<String, String> patterns,
		@Nullable Strategy strategy) {

	/**
	 * Create a configuration; list and map are copied.
	 */
	public RedactConfig {
		// As they are: mistakes in them are reported by the redactor, all at once.
		detectors = (detectors != null) ? Collections.unmodifiableList(new ArrayList<>(detectors)) : null;
		patterns = (patterns != null) ? Collections.unmodifiableMap(new LinkedHashMap<>(patterns)) : null;
	}

	/**
	 * The detectors of secrets, passwords, cards and addresses, no other patterns, and
	 * {@link Strategy#MASK}.
	 * @return the configuration
	 */
	public static RedactConfig defaults() {
		return new RedactConfig(null, null, null);
	}

	/**
	 * The replacement of what was found.
	 *
	 * @since 0.1.0
	 */
	public enum Strategy {

		/** The kind of the thing: {@code [redacted:email]}. */
		MASK,

		/**
		 * The kind of the thing, and a number that is the same for the same text:
		 * {@code [email:hmac-5f2c08d1a97e]}. The numbers are made with a random key that
		 * only this process knows and that ends with it. Without one, anyone who sees the
		 * hash of a card number could try them all.
		 */
		HASH,

		/** Nothing. */
		REMOVE,

		/**
		 * A call, a prompt, a result or a response that holds it is denied as a whole,
		 * with what kind of thing it was as the reason. What others see of the arguments
		 * of the call is masked.
		 */
		DENY

	}

}
