package io.agenthooks.sample;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import io.agenthooks.test.ai.ScriptedChatModel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link ChatAgent} with a model that says what the test wants.
 */
class ChatAgentTests {

	private final ScriptedChatModel model = new ScriptedChatModel();

	@TempDir
	private Path workspace;

	@Test
	void modelReadsWhyACallWasDeniedOrWhoAnsweredIt() {
		this.model.calls("run_command", Map.of("command", "sudo ls"))
			.calls("read_file", Map.of("path", ".env"))
			.says("That is not allowed");
		try (ConfigurableApplicationContext sample = start()) {
			ChatReport report = sample.getBean(ChatAgent.class).ask(new ChatQuestion("Go", null, null, null));
			assertThat(report.answer()).isEqualTo("That is not allowed");
			assertThat(report.toolCalls()).extracting(ToolCallReport::status, ToolCallReport::decidedBy)
				.containsExactly(tuple("denied", "house-rules"), tuple("answered", "secret-files"));
		}
		assertThat(this.model.prompts()).hasSize(3);
		assertThat(this.model.toolResults()).singleElement().asString().contains("holds secrets");
		assertThat(this.model.repliesLeft()).isZero();
	}

	@Test
	void failureOfTheModelReachesTheCaller() {
		this.model.fails(new IllegalStateException("no credit"));
		try (ConfigurableApplicationContext sample = start()) {
			ChatAgent agent = sample.getBean(ChatAgent.class);
			assertThatException().isThrownBy(() -> agent.ask(new ChatQuestion("Go", null, null, null)))
				.withStackTraceContaining("no credit");
		}
	}

	private ConfigurableApplicationContext start() {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		application.addInitializers((context) -> ((GenericApplicationContext) context)
			.registerBean(ScriptedChatModel.class, () -> this.model));
		return application.run("--spring.ai.model.chat=script", "--sample.script=false",
				"--server.port=" + TestSocketUtils.findAvailableTcpPort(), "--sample.workspace=" + this.workspace);
	}

}
