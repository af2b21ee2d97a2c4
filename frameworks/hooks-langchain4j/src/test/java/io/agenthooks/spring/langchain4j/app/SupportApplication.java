package io.agenthooks.spring.langchain4j.app;

import java.util.Map;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.langchain4j.ScriptedModel;

/**
 * The application. Nothing in it knows of hooks.
 */
@SpringBootApplication
class SupportApplication {

	@Bean
	ScriptedModel chatModel() {
		return ScriptedModel.thatCalls(ScriptedModel.call("find_order", Map.of("id", "4711")),
				ScriptedModel.call("delete_order", Map.of("id", "4711")),
				ScriptedModel.call("find_order", Map.of("id", "1 OR 1=1")));
	}

	@Bean
	SupportAgent supportAgent(ChatModel model, OrderTools tools) {
		return AiServices.builder(SupportAgent.class).chatModel(model).tools(tools).build();
	}

}
