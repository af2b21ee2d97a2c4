package io.agenthooks.spring.prompt;

import java.util.List;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Makes hooks of every kind that let a model judge.
 */
final class PromptHooks {

	static final String TYPE = "prompt";

	private final ChatModels models;

	PromptHooks(ConfigurableListableBeanFactory beanFactory) {
		this.models = new ChatModels(beanFactory);
	}

	ToolHookFactory<PromptConfig> toolHooks() {
		return ToolHookFactory.of(TYPE, PromptConfig.class,
				(name, config) -> new PromptToolHook(ofToolCalls(JudgedEvent.PRE_TOOL_USE, name, config,
						new Judge.Decisions<>(ToolDecision::approve, ToolDecision::ask, ToolDecision::deny))),
				(name, config) -> new PromptToolResultHook(ofToolCalls(JudgedEvent.POST_TOOL_USE, name, config,
						Judge.Decisions.withoutPerson(ToolDecision::approve, ToolDecision::deny))));
	}

	LlmHookFactory<PromptConfig> llmHooks() {
		return LlmHookFactory.of(TYPE, PromptConfig.class,
				(name, config) -> new PromptLlmHook(ofModelCalls(JudgedEvent.PRE_LLM_CALL, name, config)),
				(name, config) -> new PromptLlmResponseHook(ofModelCalls(JudgedEvent.POST_LLM_CALL, name, config)));
	}

	RunHookFactory<PromptConfig> runHooks() {
		return RunHookFactory.of(TYPE, PromptConfig.class, (name, config) -> new PromptRunHook(ofRuns(name, config)),
				(name, config) -> {
					throw new InvalidHookConfigException(List
						.of(new Problem(List.of(), "cannot judge a run that is over", "Move the entry to pre_run.")));
				});
	}

	private Judge<ToolCall, ToolDecision> ofToolCalls(JudgedEvent event, String name, PromptConfig config,
			Judge.Decisions<ToolDecision> decisions) {
		PromptSettings settings = PromptSettings.of(event, config, this.models);
		return new Judge<>(name, settings, NoVerdictMode.ofToolCalls(name, settings.failOpen(), true), decisions);
	}

	private Judge<LlmCall, LlmDecision> ofModelCalls(JudgedEvent event, String name, PromptConfig config) {
		PromptSettings settings = PromptSettings.of(event, config, this.models);
		return new Judge<>(name, settings, NoVerdictMode.ofModelCalls(name, settings.failOpen(), true),
				Judge.Decisions.withoutPerson(LlmDecision::approve, LlmDecision::deny));
	}

	private Judge<AgentRun, RunDecision> ofRuns(String name, PromptConfig config) {
		PromptSettings settings = PromptSettings.of(JudgedEvent.PRE_RUN, config, this.models);
		return new Judge<>(name, settings, NoVerdictMode.ofRuns(name, settings.failOpen(), true),
				Judge.Decisions.withoutPerson(RunDecision::approve, RunDecision::deny));
	}

}
