package io.agenthooks.spring.entries;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for the type {@code redact}, from YAML to the result.
 */
class RedactEntryTests {

	private static final String RESULT = "bob@example.com EMP-123456 password=hunter2";

	@Test
	void redactWithoutConfigSearchesForEverythingItKnows() {
		try (ToolHooksTester hooks = tester("- type: redact")) {
			assertThat(hooks.call("read", Map.of())).hasSucceeded()
				.hasResultReplacedBy("redact#0")
				.withContent("[redacted:email] EMP-123456 password=[redacted:password]");
		}
	}

	@Test
	void redactWithOptionsDoesWhatTheySay() {
		try (ToolHooksTester hooks = tester("""
				- type: redact
				        match: ["read"]
				        config:
				          detectors: [email]
				          patterns: {employee: '\\bEMP-\\d{6}\\b'}
				          strategy: remove
				""")) {
			assertThat(hooks.call("read", Map.of())).withContent("  password=hunter2");
			assertThat(hooks.call("other", Map.of())).withContent(RESULT);
		}
	}

	@Test
	void redactWithEmptyDetectorsSearchesForPatternsOnly() {
		try (ToolHooksTester hooks = tester("""
				- type: redact
				        config: {detectors: [], patterns: {employee: 'EMP-\\d+'}, strategy: hash}
				""")) {
			assertThat(hooks.call("read", Map.of())).content()
				.matches("bob@example.com \\[employee:hmac-[0-9a-f]{12}] password=hunter2");
		}
	}

	@Test
	void redactWithMistakesStopsTheStartAndNamesThemAll() {
		assertThat(mistakes("""
				- type: redact
				        config: {detectors: [emial], patterns: {employee: 'EMP(', any: 'a*'}}
				""")).contains("detectors[0]", "secret, password, card, email", "patterns.employee", "patterns.any");
		assertThat(mistakes("""
				- type: redact
				        config: {detectors: []}
				""")).contains("nothing would be redacted");
		assertThat(mistakes("""
				- type: redact
				        config: {strategy: mark}
				""")).contains("mask, hash, remove");
	}

	private static String mistakes(String entry) {
		StringBuilder text = new StringBuilder();
		for (Throwable ex = catchThrowable(() -> tester(entry).call("read", Map.of())); ex != null; ex = ex
			.getCause()) {
			text.append(ex.getMessage()).append('\n');
		}
		return text.toString();
	}

	private static ToolHooksTester tester(String entry) {
		ToolHooksTester tester = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    post_call:
				      %s
				""".formatted(entry));
		tester.executor().returning(RESULT);
		return tester;
	}

}
