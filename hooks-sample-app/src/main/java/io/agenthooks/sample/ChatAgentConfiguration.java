package io.agenthooks.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import io.agenthooks.sample.tools.AgentTools;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.TurnContinuedEvent;

/**
 * The agent: a {@code ChatClient} with tools and a memory, as any application of Spring
 * AI has it. That its tools are guarded, and that it goes on when people have decided, is
 * the starter's doing.
 */
@Configuration(proxyBeanMethods = false)
class ChatAgentConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(ChatAgentConfiguration.class);

	private static final String TASK = "You work with the files of a folder, by your tools only. "
			+ "If a call is denied, tell why, and do not try to get around it.";

	@Bean
	ChatClient agent(ChatClient.Builder client, AgentTools tools, ChatMemory memory) {
		return client.defaultSystem(TASK)
			.defaultTools((Object[]) tools.callbacks())
			.defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
			.build();
	}

	/** An application shows the answer to the user who waits for it. */
	@EventListener
	void show(TurnContinuedEvent event) {
		ContinuedTurn turn = event.turn();
		logger.info("People have decided about '{}'. The turn is {}: {}", event.request().tool().modelName(),
				turn.status(), (turn.answer() != null) ? turn.answer() : turn.reason());
	}

}
