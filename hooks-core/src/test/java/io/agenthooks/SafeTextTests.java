package io.agenthooks;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SafeText}.
 */
class SafeTextTests {

	private static final String GRIN = "\ud83d\ude00";

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "The tool 'x' is forbidden.", "größer", "日本語", GRIN, "a b" })
	void reasonKeepsPlainText(String text) {
		assertThat(SafeText.reason(text)).isEqualTo(text);
		assertThat(SafeText.name(text)).isEqualTo(text);
	}

	@ParameterizedTest // K17
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false,
			value = { "'a\r\nINFO fake','a INFO fake'", "'a\u0000b','a b'", "'a\tb','a b'",
					"'a\u001b[31mred','a [31mred'", "'a\u009b31mred','a 31mred'", "'a\u0085b','a b'",
					"'a\u2028b\u2029c','a b c'", "'a\u00a0b','a b'", "'a\u3000b','a b'", "'a\u202eb\u202cc','a b c'",
					"'a\u2066b\u2069','a b'", "'a\u200bb','a b'", "'\ufeffa','a'", "'a\udb40\udc41b','a b'",
					"'a\u007fb','a b'", "' a  b ','a b'", "'\n\n',''" })
	void reasonIsOneVisibleLine(String text, String expected) {
		assertThat(SafeText.reason(text)).isEqualTo(expected);
		assertThat(SafeText.name(text)).isEqualTo(expected);
	}

	@Test
	void reasonReplacesHalfCharacters() {
		assertThat(SafeText.reason("a\ud83db")).isEqualTo("a b");
		assertThat(SafeText.reason("a\ude00b\ud83d")).isEqualTo("a b");
	}

	@Test
	void reasonThatFitsIsKeptWhole() {
		String text = "x".repeat(SafeText.MAX_REASON_BYTES);
		assertThat(SafeText.reason(text)).isEqualTo(text);
		assertThat(SafeText.reason(text + "\n")).isEqualTo(text);
	}

	@Test
	void reasonThatIsTooLongEndsInDots() {
		assertThat(SafeText.reason("x".repeat(SafeText.MAX_REASON_BYTES + 1)))
			.isEqualTo("x".repeat(SafeText.MAX_REASON_BYTES - 3) + "...");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "é", "語", GRIN, "x ", "é\n", GRIN + "\u202e", "ab" + GRIN })
	void reasonIsBoundedInBytesAndSplitsNoCharacter(String unit) {
		for (int offset = 0; offset < 4; offset++) {
			String reason = SafeText.reason("-".repeat(offset) + unit.repeat(100_000));
			byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
			assertThat(bytes).hasSizeBetween(SafeText.MAX_REASON_BYTES - 6, SafeText.MAX_REASON_BYTES);
			assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(reason).doesNotContain("\ufffd");
			assertThat(reason).endsWith("...");
			assertThat(SafeText.reason(reason)).isEqualTo(reason);
		}
	}

	@Test
	void reasonOfAMegabyteOfNothingIsEmpty() {
		assertThat(SafeText.reason("\u0000\u202e".repeat(500_000))).isEmpty();
	}

	@Test
	void nameIsShorterThanReason() {
		assertThat(SafeText.name("x".repeat(256))).hasSize(256);
		assertThat(SafeText.name("x".repeat(257))).isEqualTo("x".repeat(253) + "...");
	}

}
