package io.agenthooks.sample.model;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.test.ai.DemoChatModel;

/**
 * No AI: the model of the test kit that calls the tools which the user's message names,
 * and knows the sentences of a {@link Script}. It takes part unless a real model is
 * chosen.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "spring.ai.model.chat", havingValue = "none")
class SampleChatModel {

	private static final Logger logger = LoggerFactory.getLogger(SampleChatModel.class);

	@Bean
	ChatModel scriptedModel() {
		logger.info("A script plays the model: no AI. Start with the profile 'openai' for a real one");
		return new DemoChatModel(Script::of);
	}

}
