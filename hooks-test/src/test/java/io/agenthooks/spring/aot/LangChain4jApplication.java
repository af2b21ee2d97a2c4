package io.agenthooks.spring.aot;

import java.util.List;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;

/**
 * An agent of LangChain4j that calls one tool.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
		RunHooksAutoConfiguration.class, PolicyHooksAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class })
public class LangChain4jApplication {

	/**
	 * Start it, and let the agent make one call.
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(LangChain4jApplication.class, args)) {
			System.out.println(AotTests.ANSWER + context.getBean(Assistant.class).chat("Delete it"));
		}
		// Some servers read standard input as long as that is open.
		System.exit(0);
	}

	@Bean
	ChatModel model() {
		return new Model();
	}

	@Bean
	Assistant assistant(ChatModel model) {
		return AiServices.builder(Assistant.class).chatModel(model).tools(new Files()).build();
	}

	interface Assistant {

		String chat(String message);

	}

	static class Files {

		@Tool(name = "delete_file")
		String delete() {
			return AotTests.RAN;
		}

	}

	static class Model implements ChatModel {

		@Override
		public ChatResponse doChat(ChatRequest request) {
			List<ChatMessage> messages = request.messages();
			AiMessage reply = (messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage result)
					? AiMessage.from(result.text()) : AiMessage
						.from(ToolExecutionRequest.builder().id("1").name("delete_file").arguments("{}").build());
			return ChatResponse.builder().aiMessage(reply).build();
		}

	}

}
