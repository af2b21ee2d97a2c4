package io.agenthooks.spring.aot;

import java.util.List;
import java.util.Map;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.ai.SpringAiModelCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;

/**
 * An agent of Spring AI that calls one tool.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class,
		ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
		PolicyHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
		SpringAiModelCallsAutoConfiguration.class })
public class SpringAiApplication {

	/**
	 * Start it, and let the agent make one call.
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(SpringAiApplication.class, args)) {
			String answer = context.getBean(ChatClient.Builder.class)
				.build()
				.prompt("Delete it")
				.tools(new Files())
				.call()
				.content();
			System.out.println(AotTests.ANSWER + answer);
		}
		// Some servers read standard input as long as that is open.
		System.exit(0);
	}

	@Bean
	ChatModel model() {
		return new Model();
	}

	static class Files {

		@Tool(name = "delete_file")
		String delete() {
			return AotTests.RAN;
		}

	}

	static class Model implements ChatModel {

		@Override
		public ToolCallingChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			Message last = prompt.getInstructions().get(prompt.getInstructions().size() - 1);
			AssistantMessage reply = (last instanceof ToolResponseMessage results)
					? new AssistantMessage(results.getResponses().get(0).responseData())
					: AssistantMessage.builder()
						.content("")
						.properties(Map.of())
						.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "delete_file", "{}")))
						.build();
			return new ChatResponse(List.of(new Generation(reply)));
		}

	}

}
