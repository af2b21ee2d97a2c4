package io.agenthooks.spring.autoconfigure;

import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.autoconfigure.ConditionalOnHooks.Kind;
import io.agenthooks.spring.binding.BeanConfig;
import io.agenthooks.spring.binding.HookSection;

/**
 * Makes chains of the hooks around model calls and runs of agents that are beans or stand
 * under {@code hooks.llm_call} and {@code hooks.run}. What makes such calls, an adapter
 * of a framework, lets them pass these chains.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@Import(SharedHooksConfiguration.class)
public final class AgentHooksAutoConfiguration {

	/**
	 * The hooks around model calls are in force, which they are unless switched off.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.LLM_CALL)
	static class LlmCalls {

		@Bean
		static LazyInitializationExcludeFilter llmHooksLazyInitializationExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(LlmHookChain.class);
		}

		@Bean
		HookAssembly<LlmHook> llmHookAssembly(ConfigurableListableBeanFactory beanFactory,
				HooksConfiguration configuration, ObjectProvider<HookAroundProvider> arounds) {
			return new HookAssembly<>(HookSection.LLM_CALL, beanFactory, configuration.llmCall(),
					arounds.orderedStream().toList());
		}

		@Bean
		@ConditionalOnMissingBean
		LlmHookChain llmHookChain(HookAssembly<LlmHook> hooks, ConfigurableApplicationContext context,
				AbortedRuns abortedRuns) {
			return new LlmHookChain(hooks.entries(PreLlmHook.class), hooks.entries(LlmResponseHook.class),
					hooks.entries(PostLlmHook.class), new HookEventPublisher.LlmCalls(context), abortedRuns);
		}

		@Bean
		@ConditionalOnMissingBean(name = "beanLlmHookFactory")
		LlmHookFactory<BeanConfig> beanLlmHookFactory(ConfigurableListableBeanFactory beanFactory) {
			HookBeans<LlmHook> beans = new HookBeans<>(beanFactory, LlmHook.class);
			return LlmHookFactory.of(HookBeans.TYPE, BeanConfig.class, (name, config) -> beans.get(config));
		}

	}

	/**
	 * The hooks around runs are in force, which they are unless switched off.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.RUN)
	static class Runs {

		@Bean
		static LazyInitializationExcludeFilter runHooksLazyInitializationExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(RunHookChain.class);
		}

		@Bean
		HookAssembly<RunHook> runHookAssembly(ConfigurableListableBeanFactory beanFactory,
				HooksConfiguration configuration, ObjectProvider<HookAroundProvider> arounds) {
			return new HookAssembly<>(HookSection.RUN, beanFactory, configuration.run(),
					arounds.orderedStream().toList());
		}

		@Bean
		@ConditionalOnMissingBean
		RunHookChain runHookChain(HookAssembly<RunHook> hooks, ConfigurableApplicationContext context,
				AbortedRuns abortedRuns) {
			return new RunHookChain(hooks.entries(PreRunHook.class), hooks.entries(PostRunHook.class),
					new HookEventPublisher.Runs(context), abortedRuns);
		}

		@Bean
		@ConditionalOnMissingBean(name = "beanRunHookFactory")
		RunHookFactory<BeanConfig> beanRunHookFactory(ConfigurableListableBeanFactory beanFactory) {
			HookBeans<RunHook> beans = new HookBeans<>(beanFactory, RunHook.class);
			return RunHookFactory.of(HookBeans.TYPE, BeanConfig.class, (name, config) -> beans.get(config));
		}

	}

	/**
	 * The hooks around model calls are switched off, which must not go unnoticed.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(value = Kind.LLM_CALL, active = false)
	static class LlmCallsOff {

		LlmCallsOff() {
			LoggerFactory.getLogger(AgentHooksAutoConfiguration.class)
				.warn("hooks.llm_call.enabled is false: calls of models pass no hooks");
		}

	}

	/**
	 * The hooks around runs are switched off, which must not go unnoticed.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(value = Kind.RUN, active = false)
	static class RunsOff {

		RunsOff() {
			LoggerFactory.getLogger(AgentHooksAutoConfiguration.class)
				.warn("hooks.run.enabled is false: runs of agents pass no hooks");
		}

	}

}
