package io.agenthooks.spring.langchain4j;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * The hooks that the calls of AI services pass.
 *
 * @param chain the hooks around calls of tools, or {@code null} if those pass none
 * @param runs the hooks around runs, or {@code null} if there are none
 * @param models guards the models that services ask, or {@code null} if there are no
 * hooks around model calls
 * @param turns where turns that wait for people are kept, or {@code null} if they are not
 */
record ServiceHooks(@Nullable ToolHookChain chain, @Nullable RunHookChain runs, @Nullable ModelGuard models,
		List<CallContextCustomizer> customizers, AbortedRuns abortedRuns, @Nullable SuspendedTurns turns) {

	private static final String CLOSED = "The application context whose hooks guard AI services was closed, "
			+ "so no further call begins";

	boolean watchInvocations() {
		return this.runs != null || this.models != null;
	}

	/** For services that outlive the context of their hooks. They hold nothing of it. */
	static ServiceHooks refusing(boolean tools, boolean runs, boolean models, CurrentUser user) {
		PreToolHook tool = (call) -> ToolDecision.deny(CLOSED);
		PreRunHook run = (begun) -> RunDecision.deny(CLOSED);
		PreLlmHook model = (call) -> LlmDecision.deny(CLOSED);
		LlmHookChain chain = new LlmHookChain(List.of(model), List.of(), List.of());
		return new ServiceHooks((tools) ? new ToolHookChain(List.of(tool), List.of()) : null,
				(runs) ? new RunHookChain(List.of(run), List.of()) : null,
				(models) ? new ModelGuard(() -> chain, user) : null, List.of(), new AbortedRuns(), null);
	}

	record Beans(ObjectProvider<ToolHookChain> tools, ObjectProvider<LlmHookChain> models,
			ObjectProvider<RunHookChain> runs, ObjectProvider<CallContextCustomizer> customizers,
			ObjectProvider<AbortedRuns> abortedRuns, ObjectProvider<SuspendedTurns> turns) {

		ServiceHooks find(boolean active, CurrentUser user) {
			RunHookChain runs = this.runs.getIfAvailable();
			LlmHookChain models = this.models.getIfAvailable();
			return new ServiceHooks((active) ? this.tools.getObject() : null,
					(runs != null && !runs.isUnused()) ? runs : null,
					(models != null && !models.isUnused()) ? new ModelGuard(this.models::getObject, user) : null,
					this.customizers.orderedStream().toList(), this.abortedRuns.getIfAvailable(AbortedRuns::new),
					this.turns.getIfAvailable());
		}

	}

}
