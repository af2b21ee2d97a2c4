package io.agenthooks.spring.assembly;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.binding.HookSection;

/**
 * Makes the chain of the hooks around model calls, which are beans or stand under
 * {@code hooks.llm_call}. The adapters of frameworks pass their calls to it.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@Import(SharedHooksConfiguration.class)
public final class LlmCallHooksAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.LLM_CALL)
	static class Active {

		@Bean
		HookAssembly<LlmHook> llmHookAssembly(ConfigurableListableBeanFactory beanFactory,
				AllConfiguredHooks configuration, ObjectProvider<HookCountsReader> readers, HookBounds bounds) {
			return new HookAssembly<>(HookSection.LLM_CALL, beanFactory, List.of(), configuration.llmCall(),
					readers.orderedStream().toList(), bounds);
		}

		@Bean
		@ConditionalOnMissingBean
		LlmHookChain llmHookChain(HookAssembly<LlmHook> assembly, ConfigurableApplicationContext context,
				AbortedRuns abortedRuns, HookBounds bounds, ObjectProvider<CallWatch> watches) {
			LlmHookChain chain = assembly
				.chain((hooks) -> new LlmHookChain(hooks.entries(Phase.PRE_CALL, PreLlmHook.class),
						hooks.entries(Phase.RESULT, LlmResponseHook.class),
						hooks.entries(Phase.POST_CALL, PostLlmHook.class),
						new HookEventPublisher.LlmCalls(context, bounds.listening(HookSection.LLM_CALL)), abortedRuns),
						LlmHookChain::setShutDown);
			chain.setWatches(watches.orderedStream().toList());
			return chain;
		}

		@Bean
		FrameworkHooks.OfModelCalls llmHooks(HookAssembly<LlmHook> assembly, LlmHookChain chain,
				ConfigurableApplicationContext context) {
			return new FrameworkHooks.OfModelCalls(assembly, chain, context);
		}

	}

}
