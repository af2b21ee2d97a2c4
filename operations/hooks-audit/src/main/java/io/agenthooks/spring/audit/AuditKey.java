package io.agenthooks.spring.audit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.binding.SecretCheck;

/**
 * The key of the hashes: one of its own for each use, derived from the configured one.
 * Uses nothing but the JDK and {@link SecretCheck}.
 */
final class AuditKey {

	static final String HMAC = "HMAC-SHA256";

	static final String PLAIN = "SHA-256";

	private static final String MAC = "HmacSHA256";

	private final @Nullable String id;

	private final byte[] secret;

	private AuditKey(@Nullable String id, byte[] secret) {
		this.id = id;
		this.secret = secret;
	}

	/** No key: hashes that everybody can make. */
	static AuditKey none() {
		return new AuditKey(null, new byte[0]);
	}

	static AuditKey of(String id, String secret) {
		if (secret.length() < SecretCheck.MIN_LENGTH) {
			throw new IllegalArgumentException(
					"A key needs a secret of %d characters or more".formatted(SecretCheck.MIN_LENGTH));
		}
		return new AuditKey(id, secret.getBytes(StandardCharsets.UTF_8));
	}

	@Nullable String id() {
		return this.id;
	}

	String algorithm() {
		return (this.id != null) ? HMAC : PLAIN;
	}

	Hash chain() {
		return hash("chain");
	}

	Hash anchor() {
		return hash("anchor");
	}

	Hash content() {
		return hash("content");
	}

	private Hash hash(String use) {
		if (this.id == null) {
			return new Hash(null);
		}
		byte[] derived = mac(new SecretKeySpec(this.secret, MAC),
				("agent hooks audit " + use).getBytes(StandardCharsets.UTF_8));
		return new Hash(new SecretKeySpec(derived, MAC));
	}

	private static byte[] mac(SecretKeySpec key, byte[] bytes) {
		try {
			Mac mac = Mac.getInstance(MAC);
			mac.init(key);
			return mac.doFinal(bytes);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every JDK has " + MAC, ex);
		}
	}

	/** Says whether there is a key, and not which. */
	@Override
	public String toString() {
		return Objects.requireNonNullElse(this.id, "no key");
	}

	static final class Hash {

		private final @Nullable SecretKeySpec key;

		private Hash(@Nullable SecretKeySpec key) {
			this.key = key;
		}

		String of(byte[] bytes) {
			if (this.key != null) {
				return HexFormat.of().formatHex(mac(this.key, bytes));
			}
			try {
				return HexFormat.of().formatHex(MessageDigest.getInstance(PLAIN).digest(bytes));
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException("Every JDK has " + PLAIN, ex);
			}
		}

		String of(String text) {
			return of(text.getBytes(StandardCharsets.UTF_8));
		}

	}

}
