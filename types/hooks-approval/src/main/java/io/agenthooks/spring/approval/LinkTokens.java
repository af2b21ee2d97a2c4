package io.agenthooks.spring.approval;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.Person;

/**
 * Signs what a link says, and reads it back. A token is, in Base64 for addresses: the
 * version of its format (1 byte), the id of the key (4), what the link says, and the
 * HMAC-SHA256 (32) over all of that. Nothing is read of a token before its signature is
 * right.
 */
final class LinkTokens {

	/** The most characters of a token: Slack takes addresses of 3,000. */
	static final int MAX_TOKEN = 2_000;

	private static final int FORMAT = 1;

	private static final int KEY_ID = 4;

	private static final int SIGNATURE = 32;

	private static final String MAC = "HmacSHA256";

	/** The same secret may be used elsewhere. */
	private static final String PURPOSE = "agent-hooks links to questions";

	/** The active one first. */
	private final List<Key> keys;

	LinkTokens(List<String> secrets) {
		this.keys = secrets.stream().map(Key::of).toList();
	}

	String write(Linked linked) {
		Key key = this.keys.get(0);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (DataOutputStream data = new DataOutputStream(bytes)) {
			data.writeByte(FORMAT);
			data.write(key.id);
			data.writeUTF(linked.id());
			data.writeInt(linked.revision());
			data.writeInt(linked.votes());
			data.writeUTF(linked.fingerprint());
			data.writeLong(linked.expiresAt().getEpochSecond());
			data.writeUTF(linked.person().name());
			data.writeInt(linked.person().authorities().size());
			for (String authority : new TreeSet<>(linked.person().authorities())) {
				data.writeUTF(authority);
			}
			data.write(key.sign(bytes.toByteArray()));
		}
		catch (IOException ex) {
			// A text of more than 64 KB.
			throw new IllegalArgumentException("The name of the person is too long for a link", ex);
		}
		String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
		if (token.length() > MAX_TOKEN) {
			throw new IllegalArgumentException("The name of the person, or of the authorities, is too long for a link");
		}
		return token;
	}

	/** The link of a token, or {@code null} if we did not sign it. */
	@Nullable Linked read(String token) {
		byte[] bytes = decode(token);
		if (bytes.length <= 1 + KEY_ID + SIGNATURE) {
			return null;
		}
		byte[] signed = Arrays.copyOf(bytes, bytes.length - SIGNATURE);
		byte[] signature = Arrays.copyOfRange(bytes, bytes.length - SIGNATURE, bytes.length);
		byte[] keyId = Arrays.copyOfRange(bytes, 1, 1 + KEY_ID);
		for (Key key : this.keys) {
			if (MessageDigest.isEqual(key.id, keyId) && MessageDigest.isEqual(key.sign(signed), signature)) {
				return (signed[0] == FORMAT) ? content(Arrays.copyOfRange(signed, 1 + KEY_ID, signed.length)) : null;
			}
		}
		return null;
	}

	/** The bytes of a token; none if it is not exactly as one is written. */
	private static byte[] decode(String token) {
		try {
			byte[] bytes = (token.length() <= MAX_TOKEN) ? Base64.getUrlDecoder().decode(token) : new byte[0];
			// The last character has bits that are read by nobody.
			boolean exact = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(token);
			return (exact) ? bytes : new byte[0];
		}
		catch (IllegalArgumentException ex) {
			return new byte[0];
		}
	}

	private static Linked content(byte[] content) {
		try (DataInputStream data = new DataInputStream(new ByteArrayInputStream(content))) {
			String id = data.readUTF();
			int revision = data.readInt();
			int votes = data.readInt();
			String fingerprint = data.readUTF();
			Instant expiresAt = Instant.ofEpochSecond(data.readLong());
			String name = data.readUTF();
			Set<String> authorities = new TreeSet<>();
			for (int left = data.readInt(); left > 0; left--) {
				authorities.add(data.readUTF());
			}
			return new Linked(id, revision, votes, fingerprint, expiresAt, new Person(name, authorities));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Known by the beginning of a hash: nobody names it, and a link says nothing of the
	 * secret.
	 */
	private static final class Key {

		private final byte[] id;

		private final SecretKeySpec key;

		private Key(byte[] id, SecretKeySpec key) {
			this.id = id;
			this.key = key;
		}

		static Key of(String secret) {
			SecretKeySpec given = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), MAC);
			SecretKeySpec derived = new SecretKeySpec(mac(given, PURPOSE.getBytes(StandardCharsets.UTF_8)), MAC);
			return new Key(Arrays.copyOf(mac(derived, new byte[0]), KEY_ID), derived);
		}

		byte[] sign(byte[] bytes) {
			return mac(this.key, bytes);
		}

		private static byte[] mac(SecretKeySpec key, byte[] bytes) {
			try {
				Mac mac = Mac.getInstance(MAC);
				mac.init(key);
				return mac.doFinal(bytes);
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException("Every Java platform has " + MAC, ex);
			}
		}

	}

	record Linked(String id, int revision, int votes, String fingerprint, Instant expiresAt, Person person) {
	}

}
