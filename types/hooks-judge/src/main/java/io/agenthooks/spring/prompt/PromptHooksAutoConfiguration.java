package io.agenthooks.spring.prompt;

import java.util.List;

import org.springframework.ai.chat.model.ChatModel;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;

/**
 * Adds the type {@code prompt}, which lets a model of Spring AI judge.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnHookType("prompt")
public final class PromptHooksAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatModel.class)
	static class Judges {

		@Bean
		@ConditionalOnMissingBean(name = "promptToolHookFactory")
		ToolHookFactory<PromptConfig> promptToolHookFactory(ConfigurableListableBeanFactory beanFactory) {
			return PromptHooks.toolHooks(new ChatModels(beanFactory));
		}

		@Bean
		@ConditionalOnMissingBean(name = "promptLlmHookFactory")
		LlmHookFactory<PromptConfig> promptLlmHookFactory(ConfigurableListableBeanFactory beanFactory) {
			return PromptHooks.llmHooks(new ChatModels(beanFactory));
		}

		@Bean
		@ConditionalOnMissingBean(name = "promptRunHookFactory")
		RunHookFactory<PromptConfig> promptRunHookFactory(ConfigurableListableBeanFactory beanFactory) {
			return PromptHooks.runHooks(new ChatModels(beanFactory));
		}

	}

	/**
	 * Reported when the type is used, which is known nevertheless: it is not misspelled.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("org.springframework.ai.chat.model.ChatModel")
	static class NoJudges {

		@Bean
		ToolHookFactory<PromptConfig> promptToolHookFactory() {
			return ToolHookFactory.of("prompt", PromptConfig.class, (name, config) -> {
				throw missing();
			});
		}

		@Bean
		LlmHookFactory<PromptConfig> promptLlmHookFactory() {
			return LlmHookFactory.of("prompt", PromptConfig.class, (name, config) -> {
				throw missing();
			});
		}

		@Bean
		RunHookFactory<PromptConfig> promptRunHookFactory() {
			return RunHookFactory.of("prompt", PromptConfig.class, (name, config) -> {
				throw missing();
			});
		}

		private static InvalidHookConfigException missing() {
			return new InvalidHookConfigException(
					List.of(new Problem(List.of(), "needs a chat model of Spring AI, which is not on the class path",
							"Add a starter of Spring AI, such as spring-ai-starter-model-openai.")));
		}

	}

}
