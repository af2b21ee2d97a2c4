package io.agenthooks.spring.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.springframework.http.HttpHeaders;

import io.agenthooks.Sha256;

/** So the endpoint knows who sent a message, and when. */
final class WebhookSignature {

	private final List<SecretKeySpec> keys;

	WebhookSignature(List<byte[]> keys) {
		this.keys = keys.stream().map((key) -> new SecretKeySpec(key, "HmacSHA256")).toList();
	}

	/**
	 * The id is made from the content, which holds that of the call: a message sent twice
	 * is known as one.
	 */
	void sign(HttpHeaders headers, byte[] body) {
		String id = "msg_" + Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString(Arrays.copyOf(Sha256.digest().digest(body), 24));
		long timestamp = Instant.now().getEpochSecond();
		headers.set("webhook-id", id);
		headers.set("webhook-timestamp", Long.toString(timestamp));
		headers.set("webhook-signature", signatures(id, timestamp, body));
	}

	String signatures(String id, long timestamp, byte[] body) {
		byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
		return this.keys.stream().map((key) -> "v1," + signature(key, prefix, body)).collect(Collectors.joining(" "));
	}

	private static String signature(SecretKeySpec key, byte[] prefix, byte[] body) {
		try {
			Mac mac = Mac.getInstance(key.getAlgorithm());
			mac.init(key);
			mac.update(prefix);
			return Base64.getEncoder().encodeToString(mac.doFinal(body));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java platform has " + key.getAlgorithm(), ex);
		}
	}

}
