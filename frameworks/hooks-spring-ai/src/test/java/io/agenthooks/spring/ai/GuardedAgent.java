package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.ai.Way.Answer;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * A {@link ChatClient} with all advisors around it, and how its model calls and runs
 * ended.
 */
final class GuardedAgent {

	final SpeakingChatModel model = new SpeakingChatModel();

	final WeatherTools tools = new WeatherTools();

	private final AbortedRuns abortedRuns = new AbortedRuns();

	private final List<HookEntry<PreLlmHook>> beforeModel = new ArrayList<>();

	private final List<HookEntry<LlmResponseHook>> afterModel = new ArrayList<>();

	private final List<HookEntry<PreRunHook>> beforeRun = new ArrayList<>();

	private final List<PreToolHook> beforeTool = new ArrayList<>();

	private final BlockingQueue<LlmOutcome> modelCalls = new LinkedBlockingQueue<>();

	private final BlockingQueue<RunOutcome> runs = new LinkedBlockingQueue<>();

	final List<LlmCallEvent> events = Collections.synchronizedList(new ArrayList<>());

	private Consumer<ChatClient.Builder> customizer = (client) -> {
	};

	GuardedAgent beforeModel(PreLlmHook hook) {
		return beforeModel(HookEntry.of(hook));
	}

	GuardedAgent beforeModel(HookEntry<PreLlmHook> hook) {
		this.beforeModel.add(hook);
		return this;
	}

	GuardedAgent afterModel(LlmResponseHook hook) {
		this.afterModel.add(HookEntry.of(hook));
		return this;
	}

	GuardedAgent beforeRun(PreRunHook hook) {
		this.beforeRun.add(HookEntry.of(hook));
		return this;
	}

	GuardedAgent beforeTool(PreToolHook hook) {
		this.beforeTool.add(hook);
		return this;
	}

	GuardedAgent with(Consumer<ChatClient.Builder> customizer) {
		this.customizer = this.customizer.andThen(customizer);
		return this;
	}

	ChatClient client() {
		LlmHookChain aroundModel = new LlmHookChain(this.beforeModel, this.afterModel, List.of(), (event) -> {
			this.events.add(event);
			if (event instanceof LlmCallEvent.Ended ended) {
				this.modelCalls.add(ended.outcome());
			}
		}, this.abortedRuns);
		// An observer, since nobody asks a chain without hooks.
		RunHookChain aroundRuns = new RunHookChain(this.beforeRun, List.of(HookEntry.of((outcome) -> {
		})), (event) -> {
			if (event instanceof RunEvent.Ended ended) {
				this.runs.add(ended.outcome());
			}
		}, this.abortedRuns);
		ToolHookChain aroundTools = new ToolHookChain(this.beforeTool, List.of(), List.of(), ToolApprover.nobody(),
				null, this.abortedRuns);
		ChatClient.Builder client = ChatClient.builder(this.model)
			.defaultTools(this.tools)
			.defaultAdvisors(new LlmHooksAdvisor(aroundModel), new RunHooksAdvisor(aroundRuns, this.abortedRuns),
					new ToolHooksAdvisor(new SpringAiToolHooks(aroundTools), ToolCallingAdvisor.DEFAULT_ORDER - 50));
		this.customizer.accept(client);
		return client.build();
	}

	Answer ask(Way way, String question) {
		return way.ask(client().prompt().user(question));
	}

	/**
	 * How the only model call ended.
	 */
	LlmOutcome modelCall() {
		return only(this.modelCalls);
	}

	List<LlmOutcome> modelCalls() {
		return List.copyOf(this.modelCalls);
	}

	/**
	 * How the only run ended.
	 */
	RunOutcome run() {
		return only(this.runs);
	}

	List<RunOutcome> runs() {
		return List.copyOf(this.runs);
	}

	/**
	 * A stream that is cancelled ends on another thread.
	 */
	private static <T> T only(BlockingQueue<T> ended) {
		try {
			T first = ended.poll(10, TimeUnit.SECONDS);
			if (first == null || !ended.isEmpty()) {
				throw new AssertionError((first != null) ? "More than one ended" : "Nothing ended");
			}
			return first;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

}
