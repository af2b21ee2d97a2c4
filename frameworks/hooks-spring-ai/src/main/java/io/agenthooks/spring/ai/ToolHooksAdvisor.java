package io.agenthooks.spring.ai;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.ToolAdvisor;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.CollectionUtils;
import reactor.core.publisher.Flux;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.Probe;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Puts the hooks around the tools of each call of a client, and keeps with them who asks:
 * they may run on another thread. Not in their {@code ToolContext}, which is sent to MCP
 * servers.
 */
final class ToolHooksAdvisor implements CallAdvisor, StreamAdvisor {

	/** The name by which observations know this advisor. */
	private static final String NAME = "Agent Hooks";

	/** Tells another of ours that an advisor which we cannot guard calls tools. */
	private static final String UNGUARDED_LOOP = "agent_hooks_unguarded_loop";

	private final SpringAiToolHooks hooks;

	private final ClientRuns runs;

	private final BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender;

	private final int order;

	ToolHooksAdvisor(SpringAiToolHooks hooks, int order) {
		this.hooks = hooks;
		this.runs = new ClientRuns(hooks.callers().user());
		this.ender = hooks.calls()::endRun;
		this.order = order;
	}

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		List<? extends Advisor> behind = behind(this, chain.getCallAdvisors());
		if (next(behind) >= 0) {
			return chain.nextCall(request);
		}
		boolean guarded = isLoopGuarded(request, behind);
		CallAdvisorChain rest = RepeatableChain.behind(this, chain,
				(advisors) -> GuardedLoop.guard(advisors, this.hooks, guarded));
		return this.runs.call(request, (run, known) -> rest.nextCall(hook(known, run, guarded)));
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		List<? extends Advisor> behind = behind(this, chain.getStreamAdvisors());
		if (next(behind) >= 0) {
			return chain.nextStream(request);
		}
		boolean guarded = isLoopGuarded(request, behind);
		StreamAdvisorChain rest = RepeatableChain.behind(this, chain,
				(advisors) -> GuardedLoop.guard(advisors, this.hooks, guarded));
		return this.runs.stream(request, (run, known) -> rest.nextStream(hook(known, run, guarded)));
	}

	static List<? extends Advisor> behind(Advisor advisor, List<? extends Advisor> advisors) {
		return advisors.subList(advisors.indexOf(advisor) + 1, advisors.size());
	}

	/** Where the next of these is, if no advisor that calls tools is before it. */
	static int next(List<? extends Advisor> behind) {
		for (int i = 0; i < behind.size(); i++) {
			if (behind.get(i) instanceof ToolAdvisor) {
				return -1;
			}
			if (behind.get(i) instanceof ToolHooksAdvisor) {
				return i;
			}
		}
		return -1;
	}

	/** Prove that the tools of a question ask a chain, by a call that it has to deny. */
	boolean isProved(ToolHookChain chain) {
		return Probe.isDenied(chain, () -> hook(new ProbeTool(), null).call("{}"));
	}

	SpringAiToolHooks hooks() {
		return this.hooks;
	}

	/** Whether calls of tools that later advisors offer pass the hooks, too. */
	static boolean isLoopGuarded(ChatClientRequest request, List<? extends Advisor> behind) {
		return request.context().get(UNGUARDED_LOOP) == null && GuardedLoop.isGuarded(behind);
	}

	ChatClientRequest hook(ChatClientRequest known, ClientRun run, boolean guarded) {
		run.atEnd(this.ender);
		ChatClientRequest request = (guarded) ? known : known.mutate().context(UNGUARDED_LOOP, true).build();
		Prompt prompt = request.prompt();
		if (!(prompt.getOptions() instanceof ToolCallingChatOptions options)
				|| CollectionUtils.isEmpty(options.getToolCallbacks())) {
			return request;
		}
		this.hooks.calls().remember(options.getToolCallbacks());
		List<ToolCallback> tools = options.getToolCallbacks().stream().map((tool) -> hook(tool, run)).toList();
		return ChatClientRequest.builder()
			.prompt(new Prompt(prompt.getInstructions(), options.mutate().toolCallbacks(tools).build()))
			.context(request.context())
			.build();
	}

	private ToolCallback hook(ToolCallback tool, @Nullable ClientRun run) {
		return GuardedToolCallback.of(tool, this.hooks, run, null);
	}

}
