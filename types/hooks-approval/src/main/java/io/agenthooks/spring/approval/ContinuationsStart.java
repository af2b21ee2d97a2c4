package io.agenthooks.spring.approval;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Refuses to start where nothing can go on with turns, and lets the chain ask whether an
 * agent still may.
 */
record ContinuationsStart(ObjectProvider<TurnContinuations> continuations, ObjectProvider<ToolHookChain> chain,
		ListableBeanFactory beanFactory) implements SmartInitializingSingleton {

	private static final String INSTEAD = "Make a ChatClient bean with a memory "
			+ "(.defaultAdvisors(MessageChatMemoryAdvisor.builder(chatMemory).build())), a bean of an AI service with one "
			+ "(AiServices.builder(..).chatMemoryProvider(..)), or a bean of type 'io.agenthooks.spring.suspend.ConversationContinuation'; or remove 'resume' and go on yourself.";

	@Override
	public void afterSingletonsInstantiated() {
		TurnContinuations turns = this.continuations.getIfAvailable();
		ToolHookChain hooks = this.chain.getIfAvailable();
		// Without a chain no call asks, so no turn waits: hooks.tool_call.bypass_hooks.
		if (turns == null || hooks == null) {
			return;
		}
		Map<String, ConversationContinuation> all = this.beanFactory.getBeansOfType(ConversationContinuation.class);
		if (all.values().stream().allMatch((each) -> each.unusable() != null)) {
			String why = all.values()
				.stream()
				.map((each) -> " " + Objects.requireNonNull(each.unusable()))
				.collect(Collectors.joining());
			throw new InvalidApprovalException(
					"'hooks.approval.resume' is 'auto', but nothing can go on with a turn.%s".formatted(why), INSTEAD);
		}
		hooks.setLastCheck(turns);
	}

}
