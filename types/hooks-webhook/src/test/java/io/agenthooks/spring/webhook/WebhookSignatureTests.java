package io.agenthooks.spring.webhook;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WebhookSignature}.
 */
class WebhookSignatureTests {

	private static final String SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

	// W31
	@Test
	void signaturesAreThoseOfStandardWebhooks() {
		assertThat(signature(SECRET).signatures("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
				utf8("{\"test\": 2432232314}")))
			.isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
	}

	@Test
	void signaturesHaveOneForEachKey() {
		String other = Base64.getEncoder().encodeToString(new byte[32]);
		assertThat(signature(SECRET, other)
			.signatures("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, utf8("{\"test\": 2432232314}"))
			.split(" ")).hasSize(2).contains("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
	}

	@Test
	void signAddsHeadersThatTheReceiverCanCheck() throws Exception {
		byte[] body = utf8("{\"tool_name\":\"t\"}");
		HttpHeaders headers = new HttpHeaders();
		signature(SECRET).sign(headers, body);
		String signed = headers.getFirst("webhook-id") + "." + headers.getFirst("webhook-timestamp") + "."
				+ new String(body, StandardCharsets.UTF_8);
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET), "HmacSHA256"));
		assertThat(headers.getFirst("webhook-signature"))
			.isEqualTo("v1," + Base64.getEncoder().encodeToString(mac.doFinal(utf8(signed))));
		assertThat(headers.getFirst("webhook-id")).matches("msg_[A-Za-z0-9_-]{32}");
	}

	@Test
	void signGivesTheSameMessageTheSameIdAndAnotherAnother() {
		assertThat(id("a")).isEqualTo(id("a")).isNotEqualTo(id("b"));
	}

	private static String id(String body) {
		HttpHeaders headers = new HttpHeaders();
		signature(SECRET).sign(headers, utf8(body));
		return String.valueOf(headers.getFirst("webhook-id"));
	}

	private static WebhookSignature signature(String... secrets) {
		return new WebhookSignature(List.of(secrets).stream().map(Base64.getDecoder()::decode).toList());
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
