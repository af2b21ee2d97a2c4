package io.agenthooks.spring.autoconfigure;

import dev.langchain4j.spi.services.AiServiceContextFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.binding.HooksProperties;
import io.agenthooks.spring.langchain4j.AiServiceGuard;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Guards the tools of LangChain4j's AI services and agents.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ToolCallHooksAutoConfiguration.class)
@ConditionalOnClass(AiServiceContextFactory.class)
public final class LangChain4jHooksAutoConfiguration {

	/**
	 * The hooks are in force.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(HooksSwitch.On.class)
	static class HooksInForce {

		@Bean
		static AiServiceGuard aiServiceGuard(ObjectProvider<ToolHookChain> chains,
				ObjectProvider<CallContextCustomizer> customizers, ConfigurableEnvironment environment) {
			return new AiServiceGuard(chains, customizers, HooksProperties.of(environment).unguarded());
		}

	}

	/**
	 * The hooks are switched off.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(HooksSwitch.Off.class)
	static class HooksOff {

		@Bean
		static AiServiceGuard aiServiceGuard() {
			return AiServiceGuard.off();
		}

	}

}
