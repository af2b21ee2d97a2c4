package io.agenthooks.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample with a configuration of the user's own.
 */
class ReplacedHooksTests {

	@TempDir
	private Path directory;

	@Test
	void additionalLocationReplacesHooksOfConfigurationAndKeepsBeans() throws IOException {
		Path yaml = Files.writeString(this.directory.resolve("my.yaml"), """
				hooks:
				  tool_call:
				    replaces: [house-rules, mail-approval, mail-outside, machine-facts, read-only-trial, three-refunds,
				      refund-budget, no-loops, no-injected-payments, check-write, command-budget]
				    pre_call:
				      - type: policy
				        name: mine
				        config:
				          deny_tools: ["list_*"]
				""");
		try (ConfigurableApplicationContext sample = start("--spring.config.additional-location=file:" + yaml)) {
			assertThat(call(sample, "list_directory", Map.of())).extracting("status", "decidedBy")
				.containsExactly("denied", "mine");
			assertThat(call(sample, "run_command", Map.of("command", "echo sudo"))).extracting("status", "content")
				.containsExactly("succeeded", "sudo\n");
			assertThat(call(sample, "read_file", Map.of("path", ".env"))).extracting("status", "decidedBy")
				.containsExactly("answered", "secret-files");
		}
	}

	@Test
	void enabledFalseLetsEveryCallPassAndStillReportsIt() {
		try (ConfigurableApplicationContext sample = start("--hooks.tool_call.enabled=false")) {
			assertThat(call(sample, "run_command", Map.of("command", "echo sudo"))).extracting("status", "verdict")
				.containsExactly("succeeded", "approve");
			assertThat(sample.getBean(SampleJournal.class).last()).hasSize(1);
		}
	}

	private ConfigurableApplicationContext start(String option) {
		return SpringApplication.run(SampleApplication.class,
				Stream.of("--server.port=" + TestSocketUtils.findAvailableTcpPort(),
						"--sample.workspace=" + this.directory.resolve("workspace"), "--sample.script=false", option)
					.toArray(String[]::new));
	}

	private static ToolCallReport call(ConfigurableApplicationContext sample, String tool, Map<String, ?> arguments) {
		return ToolCallReport.of(sample.getBean(SampleJournal.class)
			.follow(ToolCall.of(tool, arguments), sample.getBean(ToolExecutor.class)));
	}

}
