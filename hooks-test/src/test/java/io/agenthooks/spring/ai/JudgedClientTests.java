package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for judges whose model is the very one that the guarded client asks.
 */
class JudgedClientTests {

	private static final String ALLOW = "{\"decision\": \"allow\"}";

	private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

	private ApplicationContextRunner runner() {
		PreLlmHook beforeModel = (call) -> {
			this.heard.add("model call");
			return LlmDecision.approve();
		};
		PreRunHook beforeRun = (run) -> {
			this.heard.add("run");
			return RunDecision.approve();
		};
		return Application.runner()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
					PromptHooksAutoConfiguration.class, SpringAiModelCallsAutoConfiguration.class))
			.withBean("beforeModel", PreLlmHook.class, () -> beforeModel)
			.withBean("beforeRun", PreRunHook.class, () -> beforeRun)
			.withBean(Ends.class, () -> new Ends(this.heard))
			.withPropertyValues("hooks.run.pre_run[0].type=prompt", "hooks.run.pre_run[0].config.prompt=Run? $PROMPT",
					"hooks.llm_call.pre_call[0].type=prompt", "hooks.llm_call.pre_call[0].config.prompt=Model? $PROMPT",
					"hooks.llm_call.post_call[0].type=prompt",
					"hooks.llm_call.post_call[0].config.prompt=Say? $RESPONSE",
					"hooks.tool_call.pre_call[0].type=prompt",
					"hooks.tool_call.pre_call[0].config.prompt=Tool? $INPUT");
	}

	@ParameterizedTest
	@EnumSource
	void callsOfTheJudgePassNoHooksAndOfferNoTools(Way way) {
		Application.run(runner(), (application) -> {
			ScriptedChatModel model = application.model();
			model.says(ALLOW).says(ALLOW).calls("weather", "{\"city\": \"Paris\"}").says(ALLOW).says(ALLOW);
			model.says(ALLOW).says("Sunny").says(ALLOW);
			WeatherTools tools = new WeatherTools();
			Way.Answer answer = way.ask(application.client().prompt().user("Weather?").tools(tools));
			assertThat(answer.text()).isEqualTo("Sunny");
			assertThat(tools.cities).containsExactly("Paris");
			assertThat(this.heard).containsExactly("run", "model call", "end", "model call", "end");
			assertThat(model.prompts()).extracting(JudgedClientTests::question)
				.containsExactly("Run?", "Model?", "agent", "Say?", "Tool?", "Model?", "agent", "Say?");
			assertThat(model.prompts()).filteredOn((prompt) -> !question(prompt).equals("agent"))
				.allSatisfy((prompt) -> assertThat(
						((ToolCallingChatOptions) Objects.requireNonNull(prompt.getOptions())).getToolCallbacks())
					.isEmpty());
		});
	}

	private static String question(Prompt prompt) {
		String text = String.valueOf(prompt.getUserMessage().getText());
		return (String.valueOf(prompt.getSystemMessage().getText()).startsWith("You are the judge"))
				? text.substring(0, text.indexOf('?') + 1) : "agent";
	}

	/**
	 * Hears how calls of models end.
	 *
	 * @param heard what was heard
	 */
	record Ends(List<String> heard) {

		@EventListener
		void on(LlmCallEvent.Ended event) {
			this.heard.add("end");
		}

	}

}
