package io.agenthooks.sample;

import java.nio.file.Path;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import io.agenthooks.CallContext;
import io.agenthooks.spring.process.ProcessPrograms;
import io.agenthooks.spring.process.ProcessState;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample with hooks that are programs of their own.
 */
class ExternalHooksProfileTests {

	@TempDir
	private Path workspace;

	@Test
	void commandDecidesAboutEachFile() {
		try (ConfigurableApplicationContext sample = start("external-hooks")) {
			assertEnds(write(sample, "a.txt", "Hello"), "succeeded", null);
			assertEnds(write(sample, "a.sh", "Hello"), "denied", "check-write");
			assertEnds(write(sample, "a", "#!/bin/sh\n"), "denied", "check-write");
			ToolCallReport report = write(sample, "b.txt", "\u001b[2J");
			assertEnds(report, "denied", "check-write");
			assertThat(report.reason()).isEqualTo("Files have no escape sequences");
		}
		assertThat(this.workspace).isDirectoryContaining("glob:**/a.txt").isDirectoryNotContaining("glob:**/a.sh");
	}

	@Test
	void processCountsTheCommandsOfEachSession() {
		try (ConfigurableApplicationContext sample = start("external-hooks")) {
			for (int i = 0; i < 3; i++) {
				assertEnds(command(sample, "s1"), "succeeded", null);
			}
			ToolCallReport report = command(sample, "s1");
			assertEnds(report, "denied", "command-budget");
			assertThat(report.reason()).isEqualTo("This session has used its 3 commands");
			assertEnds(command(sample, "s2"), "succeeded", null);
			assertThat(sample.getBean(ProcessPrograms.class).states())
				.containsOnly(Map.entry("command-budget", ProcessState.UP));
		}
	}

	@Test
	void bothAreOffWithoutTheProfile() {
		try (ConfigurableApplicationContext sample = start("")) {
			assertEnds(write(sample, "a.sh", "Hello"), "succeeded", null);
			assertThat(sample.getBean(ProcessPrograms.class).states()).isEmpty();
		}
	}

	private static void assertEnds(ToolCallReport report, String status, @Nullable String decidedBy) {
		assertThat(report.status()).as(report.toString()).isEqualTo(status);
		assertThat(report.decidedBy()).isEqualTo(decidedBy);
	}

	private ConfigurableApplicationContext start(String profile) {
		return SpringApplication.run(SampleApplication.class, "--spring.profiles.active=" + profile,
				"--sample.script=false", "--server.port=" + TestSocketUtils.findAvailableTcpPort(),
				"--sample.workspace=" + this.workspace);
	}

	private static ToolCallReport write(ConfigurableApplicationContext sample, String path, String content) {
		return call(sample, "write_file", Map.of("path", path, "content", content), "s1");
	}

	private static ToolCallReport command(ConfigurableApplicationContext sample, String session) {
		return call(sample, "run_command", Map.of("command", "true"), session);
	}

	private static ToolCallReport call(ConfigurableApplicationContext sample, String tool,
			Map<String, @Nullable Object> arguments, String session) {
		ToolCall call = ToolCall.of(tool, arguments, CallContext.ofSession(session));
		return ToolCallReport.of(sample.getBean(SampleJournal.class).follow(call, sample.getBean(ToolExecutor.class)));
	}

}
