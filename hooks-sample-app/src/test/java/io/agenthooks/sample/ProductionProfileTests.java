package io.agenthooks.sample;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the sample with the profile for production, which is strict.
 */
class ProductionProfileTests {

	@TempDir
	private Path workspace;

	@ParameterizedTest
	@ValueSource(strings = { "production", "secured,production", "limits,flow,production" })
	void nothingIsFoundInTheSample(String profiles) {
		try (ConfigurableApplicationContext sample = start(profiles)) {
			assertThat(sample.getBean(ToolExecutor.class)
				.execute(ToolCall.of("delete_file", Map.of("path", "a")))
				.succeeded()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.tool_call.unguarded=warn", "hooks.tool_call.unguarded=ignore" })
	void weakerSettingsStopTheStart(String property) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> start("production", "--" + property).close())
			.withStackTraceContaining("'hooks.strict' is true");
	}

	private ConfigurableApplicationContext start(String profiles, String... more) {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		String[] arguments = { "--spring.profiles.active=" + profiles, "--sample.script=false",
				"--server.port=" + TestSocketUtils.findAvailableTcpPort(), "--sample.workspace=" + this.workspace };
		String[] all = new String[arguments.length + more.length];
		System.arraycopy(arguments, 0, all, 0, arguments.length);
		System.arraycopy(more, 0, all, arguments.length, more.length);
		return application.run(all);
	}

}
