package io.agenthooks.sample;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SecretFileHook}. A hook is a function, so its test needs no Spring.
 */
class SecretFileHookTests {

	private final SecretFileHook hook = new SecretFileHook();

	@ParameterizedTest
	@ValueSource(strings = { ".env", "./.env", "app/.env", ".env/", ".env/.", "x/../.env" })
	void preCallWhenFileHoldsSecretsAnswers(String path) {
		assertThat(this.hook.preCall(ToolCall.of("read_file", Map.of("path", path))).verdict())
			.isEqualTo(Verdict.RESPOND);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "a.env", ".env.example", "env", ".env/a" })
	void preCallWhenFileIsAnotherApproves(String path) {
		assertThat(this.hook.preCall(ToolCall.of("read_file", Map.of("path", path))).verdict())
			.isEqualTo(Verdict.APPROVE);
	}

	@Test
	void preCallWhenToolIsAnotherOrPathIsMissingApproves() {
		assertThat(this.hook.preCall(ToolCall.of("write_file", Map.of("path", ".env"))).verdict())
			.isEqualTo(Verdict.APPROVE);
		assertThat(this.hook.preCall(ToolCall.of("read_file", Map.of())).verdict()).isEqualTo(Verdict.APPROVE);
	}

}
