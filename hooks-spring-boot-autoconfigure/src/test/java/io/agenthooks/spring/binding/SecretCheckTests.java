package io.agenthooks.spring.binding;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SecretCheckTests {

	@ParameterizedTest
	@CsvSource({ ", is missing", "'', is missing", "'                                          ', is missing",
			"a, is too short", "changeme, is too short", "secret, is too short",
			"6f1d0c2b9a8e7d5c4b3a29181706f5e, is too short" })
	void missingOrShortIsTold(@Nullable String secret, String mistake) {
		assertThat(SecretCheck.mistake(secret)).isEqualTo(mistake);
	}

	@ParameterizedTest
	@ValueSource(strings = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "00000000000000000000000000000000",
			"abababababababababababababababab", "secretsecretsecretsecretsecretsecret",
			"12341234123412341234123412341234", "changemechangemechangemechangeme",
			"changeme-changeme-changeme-changeme", "CHANGE_ME_CHANGE_ME_CHANGE_ME_CHANGE_ME",
			"changeitchangeitchangeitchangeit", "passwordpasswordpasswordpassword",
			"my-super-secret-key-that-is-long-enough", "this-is-a-secret-of-at-least-32-characters",
			"thisisaverysecretkeyforthisdemoapp", "replace-me-with-a-random-secret-in-production",
			"your-secret-key-your-secret-key-your", "<put your secret of 32 characters here>",
			"example-secret-example-secret-example", "12345678901234567890123456789012",
			"qwertyuiopqwertyuiopqwertyuiopqwerty" })
	void guessedOneIsTold(String secret) {
		assertThat(SecretCheck.mistake(secret)).contains("can be guessed").doesNotContain(secret);
		assertThat(SecretCheck.guessed(secret.getBytes(StandardCharsets.UTF_8))).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0123456789abcdef0123456789abcdef", "my-service-secret-8f73a9b7c5d4e3f2a1b0",
			"correct horse battery staple granite", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" })
	void otherIsAccepted(String secret) {
		assertThat(SecretCheck.mistake(secret)).isNull();
	}

	@Test
	void randomOneIsAccepted() {
		SecureRandom random = new SecureRandom();
		for (int i = 0; i < 2000; i++) {
			byte[] bytes = new byte[24];
			random.nextBytes(bytes);
			assertThat(SecretCheck.guessed(bytes)).isNull();
			assertThat(SecretCheck.mistake(Base64.getEncoder().encodeToString(bytes))).isNull();
			assertThat(SecretCheck.mistake(HexFormat.of().formatHex(bytes))).isNull();
		}
	}

}
