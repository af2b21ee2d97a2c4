package io.agenthooks.sample;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SecretFileHook}, alone and among the hooks of the configuration.
 */
class SecretFileHookTests {

	private final ToolHooksTester hooks = ToolHooksTester.ofHooks(new SecretFileHook());

	@ParameterizedTest
	@ValueSource(strings = { ".env", "./.env", "app/.env", ".env/", ".env/.", "x/../.env" })
	void fileThatHoldsSecretsIsNotRead(String path) {
		assertThat(this.hooks.call("read_file", Map.of("path", path))).isAnswered()
			.byHook("secret-files")
			.withContentContaining("holds secrets");
		assertThat(this.hooks.executor()).hasRunNothing();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "a.env", ".env.example", "env", ".env/a" })
	void otherFileIsRead(String path) {
		assertThat(this.hooks.call("read_file", Map.of("path", path))).isApproved();
		assertThat(this.hooks.executor()).hasRun("read_file", Map.of("path", path));
	}

	@Test
	void otherToolAndMissingPathAreApproved() {
		assertThat(this.hooks.call("write_file", Map.of("path", ".env"))).isApproved();
		assertThat(this.hooks.call("read_file", Map.of())).isApproved();
	}

	@Test
	void housePolicyHoldsBesideTheHook(@TempDir Path home) {
		try (ToolHooksTester sample = ToolHooksTester.ofFile("classpath:application.yaml")
			.withProperty("sample.home", home.toString())
			.withProperty("hooks.approval.resume", "manual")
			.withBean(new SecretFileHook())) {
			assertThat(sample.call("run_command", Map.of("command", "cat .env"))).isDenied().byHook("house-rules");
			assertThat(sample.call("read_file", Map.of("path", ".env"))).isAnswered().byHook("secret-files");
		}
	}

}
