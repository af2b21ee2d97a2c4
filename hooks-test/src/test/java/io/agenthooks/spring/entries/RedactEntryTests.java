package io.agenthooks.spring.entries;

import java.util.List;
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
				""")).contains("mask, hash, remove, deny");
	}

	@Test
	void policyDeniesAndAsksByDetectors() {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config: {deny_detectors: [iban], ask_detectors: [card]}
				""")) {
			assertThat(hooks.call("send", Map.of("a", List.of("of DE89 3704 0044 0532 0130 00")))).isDenied()
				.withReasonContaining("they hold iban");
			assertThat(hooks.call("send", Map.of("a", 4111111111111111L))).isDenied();
			assertThat(hooks.call("send", Map.of("a", "of bob@example.com"))).hasSucceeded();
		}
	}

	@Test
	void detectorsOfAPolicyWithMistakesStopTheStart() {
		assertThat(mistakesOf("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config: {deny_detectors: [cards]}
				""")).contains("deny_detectors[0]", "secret, password, card, email, phone, iban, ssn, ip")
			.doesNotContain("'patterns'");
		assertThat(mistakesOf("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config: {ask_detectors: []}
				""")).contains("ask_detectors");
	}

	private static String mistakesOf(String yaml) {
		StringBuilder text = new StringBuilder();
		for (Throwable ex = catchThrowable(
				() -> ToolHooksTester.ofYaml(yaml).call("read", Map.of())); ex != null; ex = ex.getCause()) {
			text.append(ex.getMessage()).append('\n');
		}
		return text.toString();
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
