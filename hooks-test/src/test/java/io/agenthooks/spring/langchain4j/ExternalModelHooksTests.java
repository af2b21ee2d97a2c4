package io.agenthooks.spring.langchain4j;

import java.nio.file.Path;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.run.RunBlockedException;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A command around runs and a process around model calls of an AI service.
 */
@Timeout(120)
class ExternalModelHooksTests {

	private static final Path PROGRAMS = Path.of("../types/hooks-programs/src/test/resources/programs")
		.toAbsolutePath();

	@Test
	void commandsAndProcessesDecideAboutRunsAndModelCalls() {
		ScriptedModel model = ScriptedModel.thatCalls();
		GuardedApplication.withoutHook()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean("model", ChatModel.class, () -> model)
			.withBean("streaming", StreamingChatModel.class, model::streaming)
			.withPropertyValues("hooks.run.pre_run[0].type=command",
					"hooks.run.pre_run[0].config.command=python3 " + PROGRAMS.resolve("prompt_guard.py"),
					"hooks.llm_call.pre_call[0].type=process",
					"hooks.llm_call.pre_call[0].config.command=python3 " + PROGRAMS.resolve("llm_gate.py"),
					"hooks.llm_call.pre_call[0].config.hello_timeout=20s")
			.run((context) -> {
				Way.Assistant assistant = Way.SYNC
					.service(context.getBean("model", ChatModel.class),
							context.getBean("streaming", StreamingChatModel.class))
					.build();
				assertThat(assistant.chat("s", "Hi")).isEqualTo("Done");
				assertThat(model.timesAsked()).isOne();
				assertThat(assistant.chat("s", "deny_tool")).isEqualTo("This is not allowed.");
				assertThatExceptionOfType(RunBlockedException.class)
					.isThrownBy(() -> assistant.chat("s", "password: 1"))
					.withMessage("Run blocked: The prompt holds a password");
				assertThat(model.timesAsked()).isOne();
			});
	}

}
