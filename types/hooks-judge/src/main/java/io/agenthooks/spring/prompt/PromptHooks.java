package io.agenthooks.spring.prompt;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.LocatableHook;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

final class PromptHooks {

	static final String TYPE = "prompt";

	private PromptHooks() {
	}

	static ToolHookFactory<PromptConfig> toolHooks(ChatModels models) {
		return ToolHookFactory.of(TYPE, PromptConfig.class,
				(name, config) -> new PromptToolHook(ofToolCalls(JudgedEvent.PRE_TOOL_USE, name, config, models,
						new Judge.Decisions<>(ToolDecision::approve, ToolDecision::ask, ToolDecision::deny))),
				(name, config) -> new PromptToolResultHook(ofToolCalls(JudgedEvent.POST_TOOL_USE, name, config, models,
						Judge.Decisions.withoutPerson(ToolDecision::approve, ToolDecision::deny))));
	}

	static LlmHookFactory<PromptConfig> llmHooks(ChatModels models) {
		return LlmHookFactory.of(TYPE, PromptConfig.class,
				(name, config) -> new PromptLlmHook(ofModelCalls(JudgedEvent.PRE_LLM_CALL, name, config, models)),
				(name, config) -> new PromptLlmResponseHook(
						ofModelCalls(JudgedEvent.POST_LLM_CALL, name, config, models)));
	}

	static RunHookFactory<PromptConfig> runHooks(ChatModels models) {
		return RunHookFactory.of(TYPE, PromptConfig.class,
				(name, config) -> new PromptRunHook(ofRuns(name, config, models)), (name, config) -> {
					throw new InvalidHookConfigException(List
						.of(new Problem(List.of(), "cannot judge a run that is over", "Move the entry to pre_run.")));
				});
	}

	private static Judge<ToolCall, ToolDecision> ofToolCalls(JudgedEvent event, String name, PromptConfig config,
			ChatModels models, Judge.Decisions<ToolDecision> decisions) {
		PromptSettings settings = PromptSettings.of(event, config, models);
		return new Judge<>(name, settings, NoVerdictMode.ofToolCalls(name, settings.failOpen(), true), decisions);
	}

	private static Judge<LlmCall, LlmDecision> ofModelCalls(JudgedEvent event, String name, PromptConfig config,
			ChatModels models) {
		PromptSettings settings = PromptSettings.of(event, config, models);
		return new Judge<>(name, settings, NoVerdictMode.ofModelCalls(name, settings.failOpen(), true),
				Judge.Decisions.withoutPerson(LlmDecision::approve, LlmDecision::deny));
	}

	private static Judge<AgentRun, RunDecision> ofRuns(String name, PromptConfig config, ChatModels models) {
		PromptSettings settings = PromptSettings.of(JudgedEvent.PRE_RUN, config, models);
		return new Judge<>(name, settings, NoVerdictMode.ofRuns(name, settings.failOpen(), true),
				Judge.Decisions.withoutPerson(RunDecision::approve, RunDecision::deny));
	}

	private record PromptToolHook(
			Judge<ToolCall, ToolDecision> judge) implements PreToolHook, ExternalHook, JudgingHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return this.judge.judge(call, JudgedData::of);
		}

	}

	private record PromptToolResultHook(
			Judge<ToolCall, ToolDecision> judge) implements ToolResultHook, ExternalHook, JudgingHook {

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			return this.judge.judge(call,
					(asked) -> JudgedData.of(asked, (asked.equals(call)) ? result : ToolResult.success("")));
		}

	}

	private record PromptLlmHook(Judge<LlmCall, LlmDecision> judge) implements PreLlmHook, JudgingHook {

		@Override
		public LlmDecision preCall(LlmCall call) {
			return this.judge.judge(call, JudgedData::of);
		}

	}

	private record PromptLlmResponseHook(Judge<LlmCall, LlmDecision> judge) implements LlmResponseHook, JudgingHook {

		@Override
		public LlmDecision onResponse(LlmCall call, LlmResponse response) {
			return this.judge.judge(call,
					(asked) -> JudgedData.of(asked, (asked.equals(call)) ? response : LlmResponse.of("")));
		}

	}

	private record PromptRunHook(Judge<AgentRun, RunDecision> judge) implements PreRunHook, JudgingHook {

		@Override
		public RunDecision preRun(AgentRun run) {
			return this.judge.judge(run, JudgedData::of);
		}

	}

	private interface JudgingHook extends LocatableHook, HookCounts, HookHealth, AutoCloseable {

		Judge<?, ?> judge();

		@Override
		default String name() {
			return judge().name();
		}

		@Override
		default Hook writtenAt(Function<List<String>, @Nullable String> places) {
			judge().writtenAt(places.apply(List.of()));
			return this;
		}

		@Override
		default long callsWithoutObjection() {
			return judge().callsWithoutObjection();
		}

		@Override
		default Report health() {
			return judge().health();
		}

		@Override
		default void close() {
			judge().close();
		}

	}

}
