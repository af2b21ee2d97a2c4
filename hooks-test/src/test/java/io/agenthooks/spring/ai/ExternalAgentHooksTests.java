package io.agenthooks.spring.ai;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.messages.Message;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;

import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.health.HealthHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for commands and processes around model calls and runs of a real
 * {@link org.springframework.ai.chat.client.ChatClient}, from YAML to the model.
 */
@Timeout(120)
class ExternalAgentHooksTests {

	private static final String HOOKS = """
			hooks:
			  run:
			    pre_run:
			      - type: command
			        config: {command: [python3, PROGRAMS/prompt_guard.py]}
			      - type: process
			        config: {command: [python3, PROGRAMS/llm_gate.py], observe: [turn_start, turn_end], hello_timeout: 20s}
			  llm_call:
			    pre_call:
			      - type: command
			        config: {command: [node, PROGRAMS/model_guard.js]}
			      - type: process
			        config: {command: [python3, PROGRAMS/llm_gate.py], intercept: [before_llm, after_llm], hello_timeout: 20s}
			      - type: policy
			        name: slow
			        timeout: 1m
			        config: {deny_patterns: [unspeakable]}
			    post_call:
			      - type: command
			        config: {command: [node, PROGRAMS/model_guard.js]}
			"""
		.replace("PROGRAMS",
				Path.of("../types/hooks-programs/src/test/resources/programs").toAbsolutePath().toString());

	@ParameterizedTest
	@EnumSource
	void commandsAndProcessesDecideAboutRunsAndModelCalls(Way way) {
		run((application) -> {
			application.model().says("Hello").says("A poison");
			assertThat(ask(way, application, "Hi").text()).isEqualTo("Hello");
			assertThat(ask(way, application, "Hi")).satisfies((answer) -> {
				assertThat(answer.text()).isEqualTo("This is not allowed.");
				assertThat(answer.finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
			});
			assertThat(application.model().prompts()).hasSize(2);
			assertThatExceptionOfType(RunBlockedException.class)
				.isThrownBy(() -> ask(way, application, "password: 1234"))
				.withMessage("Run blocked: The prompt holds a password");
			assertThat(application.model().prompts()).hasSize(2);
		});
	}

	@Test
	void contextOfACommandReachesTheModelAndASecretDoesNot() {
		run((application) -> {
			ask(Way.CALL, application, "Mail bob@example.com");
			assertThat(application.model().prompts()).singleElement()
				.satisfies((prompt) -> assertThat(prompt.getInstructions()).extracting(Message::getText)
					.singleElement()
					.asString()
					.startsWith("Mail ***")
					.contains("Current branch: main"));
		});
	}

	@Test
	void healthAndMetricsKnowTheirPrograms() {
		run((application) -> {
			Health health = application.context().getBean(HealthIndicator.class).health();
			assertThat(health).isNotNull();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsOnlyKeys("llm_call.process#1", "run.process#1")
				.allSatisfy((hook, details) -> assertThat(details).asInstanceOf(InstanceOfAssertFactories.MAP)
					.containsEntry("state", "up")
					.containsEntry("process", "running"));
			MeterRegistry meters = application.context().getBean(MeterRegistry.class);
			assertThat(meters.get("hooks.replies.dropped").tag("hook", "llm_call.process#1").functionCounter().count())
				.isZero();
			assertThat(meters.get("hooks.notifications.dropped").tag("hook", "run.process#1").functionCounter().count())
				.isZero();
			assertThat(meters.get("hooks.threads.abandoned").tag("hook", "slow").gauge().value()).isZero();
		});
	}

	private static Way.Answer ask(Way way, Application application, String prompt) {
		return way.ask(application.client().prompt().user(prompt));
	}

	private static void run(Consumer<Application> test) {
		ApplicationContextRunner runner = Application.runner()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
					SpringAiModelCallsAutoConfiguration.class, HealthHooksAutoConfiguration.class))
			.withInitializer((context) -> {
				try {
					new YamlPropertySourceLoader()
						.load("application.yaml", new ByteArrayResource(HOOKS.getBytes(StandardCharsets.UTF_8)))
						.forEach(context.getEnvironment().getPropertySources()::addFirst);
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			});
		Application.run(runner, test);
	}

}
