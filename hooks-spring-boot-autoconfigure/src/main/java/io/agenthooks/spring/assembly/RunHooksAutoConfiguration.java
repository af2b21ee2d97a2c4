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
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.binding.HookSection;

/**
 * Makes the chain of the hooks around runs of agents, which are beans or stand under
 * {@code hooks.run}. The adapters of frameworks pass their runs to it.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@Import(SharedHooksConfiguration.class)
public final class RunHooksAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.RUN)
	static class Active {

		@Bean
		HookAssembly<RunHook> runHookAssembly(ConfigurableListableBeanFactory beanFactory,
				AllConfiguredHooks configuration, ObjectProvider<HookCountsReader> readers, HookBounds bounds) {
			return new HookAssembly<>(HookSection.RUN, beanFactory, List.of(), configuration.run(),
					readers.orderedStream().toList(), bounds);
		}

		@Bean
		@ConditionalOnMissingBean
		RunHookChain runHookChain(HookAssembly<RunHook> assembly, ConfigurableApplicationContext context,
				AbortedRuns abortedRuns, HookBounds bounds, ObjectProvider<CallWatch> watches) {
			RunHookChain chain = assembly.chain(
					(hooks) -> new RunHookChain(hooks.entries(Phase.PRE_CALL, PreRunHook.class),
							hooks.entries(Phase.POST_CALL, PostRunHook.class),
							new HookEventPublisher.Runs(context, bounds.listening(HookSection.RUN)), abortedRuns),
					RunHookChain::setShutDown);
			chain.setWatches(watches.orderedStream().toList());
			return chain;
		}

		@Bean
		FrameworkHooks.OfRuns runHooks(HookAssembly<RunHook> assembly, RunHookChain chain,
				ConfigurableApplicationContext context) {
			return new FrameworkHooks.OfRuns(assembly, chain, context);
		}

	}

}
