package io.agenthooks.spring.ai;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.DefaultAroundAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.ToolAdvisor;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.CollectionUtils;
import reactor.core.publisher.Flux;

import io.agenthooks.AbortedRuns;
import io.agenthooks.spring.caller.CurrentUser;

/**
 * Makes a run of each call of a {@code ChatClient}: finds out who asks, in which
 * conversation, before another advisor can lead to another thread, and hands that on to
 * all hooks.
 * <p>
 * A call knows who is logged in on the thread that waits for it. A stream knows who the
 * Reactor context says is logged in, or else who is on the thread that subscribes. If
 * neither says anything when a call is tried again, it is for whom it was tried before.
 * Another advisor of this kind in the same client does nothing.
 * <p>
 * It also puts the hooks around tools that an advisor of a high precedence calls, and
 * refuses a question if such an advisor is asked even before this one.
 *
 * @since 0.1.0
 */
public final class ClientRunAdvisor implements CallAdvisor, StreamAdvisor, PriorityOrdered {

	private final ClientRuns runs;

	private final @Nullable BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender;

	private final @Nullable ToolHooksAdvisor tools;

	/**
	 * Create the advisor. Others have to forget the runs that hooks abort.
	 * @param claims the names of the claims about the user that hooks get, as
	 * {@code hooks.context.claims} lists them for clients that are beans
	 */
	public ClientRunAdvisor(String... claims) {
		this.runs = new ClientRuns(CurrentUser.ofSpringSecurity(List.of(claims)));
		this.ender = null;
		this.tools = null;
	}

	/**
	 * An advisor that calls tools may have the highest precedence; if it is behind this
	 * one, and before every {@link ToolHooksAdvisor}, its tools get the hooks here.
	 */
	ClientRunAdvisor(Supplier<AbortedRuns> abortedRuns, @Nullable SpringAiToolHooks tools, CurrentUser user) {
		this.runs = new ClientRuns(user);
		this.ender = (run, heir) -> abortedRuns.get().endRun(run, heir);
		this.tools = (tools != null) ? new ToolHooksAdvisor(tools, Ordered.HIGHEST_PRECEDENCE) : null;
	}

	@Override
	public String getName() {
		return "Agent Hooks of callers";
	}

	/**
	 * Also before those with the highest precedence that are not {@link PriorityOrdered}.
	 */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		Work work = workFor(request, chain, chain.getCallAdvisors());
		CallAdvisorChain rest = (work != null) ? RepeatableChain.behind(this, chain, work::guard)
				: RepeatableChain.behind(this, chain);
		return this.runs.beginCall(request, (run, known) -> {
			run.begin().isAskedWith(chain.getCallAdvisors());
			return rest.nextCall(begun(run, known, work));
		});
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		Work work = workFor(request, chain, chain.getStreamAdvisors());
		StreamAdvisorChain rest = (work != null) ? RepeatableChain.behind(this, chain, work::guard)
				: RepeatableChain.behind(this, chain);
		return this.runs.beginStream(request, (run, known) -> {
			run.begin().isAskedWith(chain.getStreamAdvisors());
			return rest.nextStream(begun(run, known, work));
		});
	}

	private ChatClientRequest begun(ClientRun run, ChatClientRequest known, @Nullable Work work) {
		if (this.ender != null) {
			run.atEnd(this.ender);
		}
		return (work != null) ? work.tools().hook(known, run, work.guarded()) : known;
	}

	/** The work on tools here; {@code null} if another advisor does it. */
	private @Nullable Work workFor(ChatClientRequest request, AdvisorChain chain, List<? extends Advisor> advisors) {
		ToolHooksAdvisor tools = this.tools;
		if (tools == null) {
			return null;
		}
		refuseLoopBefore(request, chain, advisors);
		List<? extends Advisor> behind = ToolHooksAdvisor.behind(this, advisors);
		int next = ToolHooksAdvisor.next(behind);
		if (next > 0 || behind.stream().anyMatch(ClientRunAdvisor::isForTools)) {
			return null;
		}
		if (next == 0) {
			// Nothing is between, so both are one.
			List<? extends Advisor> left = behind.subList(1, behind.size());
			int another = ToolHooksAdvisor.next(left);
			return (another >= 0) ? null
					: new Work((ToolHooksAdvisor) behind.get(0), 1, ToolHooksAdvisor.isLoopGuarded(request, left));
		}
		return new Work(tools, 0, ToolHooksAdvisor.isLoopGuarded(request, behind));
	}

	static boolean isForTools(Advisor advisor) {
		return advisor instanceof ClientRunAdvisor run && run.tools != null;
	}

	/**
	 * An advisor of the same precedence that was added later is asked before this one. If
	 * it calls tools, nobody can put the hooks around those that it was given.
	 */
	private void refuseLoopBefore(ChatClientRequest request, AdvisorChain chain, List<? extends Advisor> advisors) {
		Advisor before = advisors.subList(0, Math.max(advisors.indexOf(this), 0))
			.stream()
			.filter((advisor) -> !GuardedLoop.isGuarded(advisor))
			.findFirst()
			.orElse(null);
		if ((before != null || isLoopHidden(request, chain)) && offersUnguardedTools(request)) {
			throw new UnguardedToolException(("%s calls tools before the hooks can be put around them. Give it a later "
					+ "order, at least Ordered.HIGHEST_PRECEDENCE + 1, or wrap the tools with the SpringAiToolHooks "
					+ "bean.")
				.formatted((before != null) ? "The advisor " + before.getClass().getName()
						: "An advisor with the highest precedence"));
		}
	}

	private static boolean isLoopHidden(ChatClientRequest request, AdvisorChain chain) {
		return chain instanceof DefaultAroundAdvisorChain known
				&& !Boolean.FALSE
					.equals(request.context().get(ChatClientAttributes.TOOL_CALLING_ADVISOR_AUTO_REGISTER.getKey()))
				&& known.getCallAdvisors().stream().noneMatch(ToolAdvisor.class::isInstance)
				&& known.getStreamAdvisors().stream().noneMatch(ToolAdvisor.class::isInstance);
	}

	private static boolean offersUnguardedTools(ChatClientRequest request) {
		return request.prompt().getOptions() instanceof ToolCallingChatOptions options
				&& !CollectionUtils.isEmpty(options.getToolCallbacks())
				&& !options.getToolCallbacks().stream().allMatch(SpringAiToolHooks::isGuarded);
	}

	private record Work(ToolHooksAdvisor tools, int skipped, boolean guarded) {

		List<Advisor> guard(List<Advisor> advisors) {
			return GuardedLoop.guard(advisors.subList(this.skipped, advisors.size()), this.tools.hooks(), this.guarded);
		}

	}

}
