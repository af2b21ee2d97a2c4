package io.agenthooks;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Makes SHA-256 hashes.
 *
 * @since 0.1.0
 */
public final class Sha256 {

	private Sha256() {
	}

	/**
	 * Begin a hash.
	 * @return the digest, for one hash and one thread
	 */
	public static MessageDigest digest() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Hash a text.
	 * @param text the text, which is hashed as UTF-8
	 * @return 64 hexadecimal digits, in lower case
	 */
	public static String hex(String text) {
		return HexFormat.of().formatHex(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
	}

}
