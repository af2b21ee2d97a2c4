package io.agenthooks.spring.process;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;

/**
 * Adds the type {@code process}, which asks a program that runs as long as the hook.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class ProcessHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ProcessPrograms hookProcessPrograms() {
		return new ProcessPrograms();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHookType("process")
	static class ProcessTypes {

		@Bean
		@ConditionalOnMissingBean(name = "processToolHookFactory")
		ToolHookFactory<ProcessConfig> processToolHookFactory(ProcessPrograms programs) {
			return programs.toolHooks();
		}

		@Bean
		@ConditionalOnMissingBean(name = "processLlmHookFactory")
		LlmHookFactory<ProcessConfig> processLlmHookFactory(ProcessPrograms programs) {
			return programs.llmHooks();
		}

		@Bean
		@ConditionalOnMissingBean(name = "processRunHookFactory")
		RunHookFactory<ProcessConfig> processRunHookFactory(ProcessPrograms programs) {
			return programs.runHooks();
		}

	}

}
