package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.util.List;

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
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionEligibilityChecker;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;

/**
 * The advisors of a client between ours and the model, such that calls of tools pass the
 * hooks whoever made the client: the advisor that calls tools does so by a guarded
 * manager, and the model gets to know that.
 */
final class GuardedLoop {

	/** What an advisor that calls tools is made of, which it does not tell. */
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

	/**
	 * Guard the advisors that are left.
	 * @param whole whether there is nothing before them that calls tools unguarded
	 */
	static List<Advisor> guard(List<? extends Advisor> advisors, SpringAiToolHooks hooks, boolean whole) {
		List<Advisor> guarded = advisors.stream().map((advisor) -> withGuardedManager(advisor, hooks)).toList();
		return (whole && isGuarded(guarded)) ? guarded.stream().map(GuardedLoop::withKnowledge).toList() : guarded;
	}

	/**
	 * Whether all calls of tools will pass the hooks, also of those that a model is
	 * offered by advisors behind ours.
	 */
	static boolean isGuarded(List<? extends Advisor> advisors) {
		return advisors.stream().allMatch((advisor) -> isExact(advisor) || isGuarded(advisor));
	}

	private static boolean isExact(Advisor advisor) {
		return advisor.getClass() == ToolCallingAdvisor.class && manager != null && checker != null && history != null;
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

	/**
	 * Whether an advisor calls no tools, or does so by a guarded manager.
	 */
	static boolean isGuarded(Advisor advisor) {
		Object own = (advisor instanceof ToolCallingAdvisor) ? value(manager, advisor) : null;
		return !(advisor instanceof ToolAdvisor) || (own != null && SpringAiToolHooks.isGuarded(own));
	}

	private static @Nullable Object value(@Nullable Field field, Advisor advisor) {
		return (field != null) ? ReflectionUtils.getField(field, advisor) : null;
	}

	private static Advisor withKnowledge(Advisor advisor) {
		if (advisor instanceof ChatModelCallAdvisor model) {
			return new GuardedCall(model);
		}
		return (advisor instanceof ChatModelStreamAdvisor model) ? new GuardedStream(model) : advisor;
	}

	/**
	 * Asks the model, which learns that a guarded client asks.
	 *
	 * @param model asks the model
	 */
	private record GuardedCall(CallAdvisor model) implements CallAdvisor {

		@Override
		public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
			return OfferedTools.IN_GUARDED_LOOP.during(() -> this.model.adviseCall(request, chain));
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
	 * Asks the model by a stream, and the model learns that a guarded client asks.
	 *
	 * @param model asks the model
	 */
	private record GuardedStream(StreamAdvisor model) implements StreamAdvisor {

		@Override
		public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
			return OfferedTools.IN_GUARDED_LOOP.during(Flux.defer(() -> this.model.adviseStream(request, chain)));
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
