package io.agenthooks.spring.limit;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

import io.agenthooks.spring.state.UnusableAnswerException;

/**
 * What all stores of what sessions have read go by.
 */
final class FlowTerms {

	/**
	 * How long notes are kept of a session that is not used: without them, its results
	 * name nothing.
	 */
	static final Duration NOTES = Duration.ofDays(1);

	/**
	 * How long it is kept what a session has read that is not used. Longer than that it
	 * is not known.
	 */
	static final Duration SESSIONS = Duration.ofDays(30);

	private static final SecureRandom random = new SecureRandom();

	private static final int SECRET_BYTES = 32;

	private FlowTerms() {
	}

	/**
	 * A secret, if nobody has made one.
	 */
	static String newSecret() {
		byte[] bytes = new byte[SECRET_BYTES];
		random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	/**
	 * Another node made a secret when that of this one was lost, so that they do not
	 * understand each other.
	 */
	static UnusableAnswerException otherSecret() {
		return new UnusableAnswerException(
				"The store has lost the secret of this node and got another one: restart the node",
				"the store has another secret; restart this node");
	}

}
