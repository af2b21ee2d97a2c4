package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.ChatModelCallAdvisor;
import org.springframework.ai.chat.client.advisor.ChatModelStreamAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.ToolAdvisor;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionEligibilityChecker;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

import io.agenthooks.spring.caller.Caller;

/**
 * The advisors of a client between ours and the model: the one that calls tools does so
 * by a guarded manager, and the model gets to know that.
 */
final class GuardedLoop {

	/** Deprecated, and to be removed. */
	private static final String FORMER_ADVISOR = "org.springframework.ai.chat.client.advisor.ToolCallAdvisor";

	private static final List<String> FIELDS = List.of("toolCallingManager", "toolExecutionEligibilityChecker",
			"conversationHistoryEnabled");

	private static final @Nullable Field manager = field(FIELDS.get(0));

	private static final @Nullable Field checker = field(FIELDS.get(1));

	private static final @Nullable Field history = field(FIELDS.get(2));

	private GuardedLoop() {
	}

	private static @Nullable Field field(String name) {
		Field field = ReflectionUtils.findField(ToolCallingAdvisor.class, name);
		if (field != null) {
			ReflectionUtils.makeAccessible(field);
		}
		return field;
	}

	static List<Advisor> guard(List<? extends Advisor> advisors, SpringAiToolHooks hooks, boolean whole) {
		List<Advisor> guarded = advisors.stream().map((advisor) -> withGuardedManager(advisor, hooks)).toList();
		OfferedTools known = (whole && isGuarded(guarded)) ? OfferedTools.IN_GUARDED_LOOP : null;
		return guarded.stream().map((advisor) -> beforeModel(advisor, hooks, known)).toList();
	}

	/**
	 * Whether all calls of tools pass the hooks, also of those that later advisors offer.
	 */
	static boolean isGuarded(List<? extends Advisor> advisors) {
		return advisors.stream().allMatch((advisor) -> isExact(advisor) || isGuarded(advisor));
	}

	private static boolean isExact(Advisor advisor) {
		return isOfSpringAi(advisor.getClass()) && manager != null && checker != null && history != null;
	}

	/** By its name now or until 2.0, and not one that does more. */
	private static boolean isOfSpringAi(Class<?> type) {
		return type == ToolCallingAdvisor.class || type.getName().equals(FORMER_ADVISOR);
	}

	private static Advisor withGuardedManager(Advisor advisor, SpringAiToolHooks hooks) {
		if (isExact(advisor) && !isGuarded(advisor) && value(manager, advisor) instanceof ToolCallingManager own
				&& value(checker, advisor) instanceof ToolExecutionEligibilityChecker eligible
				&& value(history, advisor) instanceof Boolean keepsHistory) {
			return ToolCallingAdvisor.builder()
				.toolCallingManager(hooks.wrap(own))
				.toolExecutionEligibilityChecker(eligible)
				.advisorOrder(advisor.getOrder())
				.conversationHistoryEnabled(keepsHistory)
				.build();
		}
		return advisor;
	}

	static boolean isGuarded(Advisor advisor) {
		Object own = (advisor instanceof ToolCallingAdvisor) ? value(manager, advisor) : null;
		return !(advisor instanceof ToolAdvisor) || (own != null && SpringAiToolGuard.isGuarded(own));
	}

	private static @Nullable Object value(@Nullable Field field, Advisor advisor) {
		return (field != null) ? ReflectionUtils.getField(field, advisor) : null;
	}

	private static Advisor beforeModel(Advisor advisor, SpringAiToolHooks hooks, @Nullable OfferedTools known) {
		if (advisor instanceof ChatModelCallAdvisor model) {
			return new GuardedCall(model, hooks, known);
		}
		return (advisor instanceof ChatModelStreamAdvisor model) ? new GuardedStream(model, hooks, known) : advisor;
	}

	/** The request without hidden tools; the advisor that calls tools has all of them. */
	@SuppressWarnings("ReferenceEquality") // of the very prompt
	private static ChatClientRequest offer(ChatClientRequest request, SpringAiToolHooks hooks,
			Supplier<Caller> asking) {
		Prompt offered = hooks.hiddenTools().offer(request.prompt(), request.prompt().getOptions(), asking);
		return (offered == request.prompt()) ? request : request.mutate().prompt(offered).build();
	}

	/**
	 * Asks the model.
	 *
	 * @param known what it learns, or {@code null} if nothing
	 */
	private record GuardedCall(CallAdvisor model, SpringAiToolHooks hooks,
			@Nullable OfferedTools known) implements CallAdvisor {

		@Override
		public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
			ClientRuns.read(request);
			ChatClientRequest offered = offer(request, this.hooks, this.hooks.callers()::here);
			return (this.known != null) ? this.known.during(() -> this.model.adviseCall(offered, chain))
					: this.model.adviseCall(offered, chain);
		}

		@Override
		public String getName() {
			return this.model.getName();
		}

		@Override
		public int getOrder() {
			return this.model.getOrder();
		}

	}

	/**
	 * Asks the model by a stream.
	 *
	 * @param known what it learns, or {@code null} if nothing
	 */
	private record GuardedStream(StreamAdvisor model, SpringAiToolHooks hooks,
			@Nullable OfferedTools known) implements StreamAdvisor {

		@Override
		public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
			Flux<ChatClientResponse> asked = Flux.deferContextual((context) -> ask(request, chain, context));
			return (this.known != null) ? this.known.during(asked) : asked;
		}

		private Flux<ChatClientResponse> ask(ChatClientRequest request, StreamAdvisorChain chain, ContextView context) {
			ClientRuns.read(request);
			return (!this.hooks.hiddenTools().isHiding()) ? this.model.adviseStream(request, chain)
					: this.hooks.callers()
						.of(context)
						.flatMapMany(
								(caller) -> this.model.adviseStream(offer(request, this.hooks, () -> caller), chain));
		}

		@Override
		public String getName() {
			return this.model.getName();
		}

		@Override
		public int getOrder() {
			return this.model.getOrder();
		}

	}

}
