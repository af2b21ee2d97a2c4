package io.agenthooks.spring.assembly;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

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
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
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

	private static final Logger logger = LoggerFactory.getLogger(AgentHooksAutoConfiguration.class);

	/** Whose calls of models and runs of agents are brought to the hooks. */
	private static final List<String> FRAMEWORKS = List.of("org.springframework.ai.chat.client.ChatClient",
			"dev.langchain4j.service.AiServices");

	/**
	 * Log which hooks there are.
	 */
	private static void tell(AssembledHooks<?> hooks, HookSection<?> section, String title, String noun,
			ApplicationContext context) {
		if (hooks.isEmpty()) {
			return;
		}
		logger.info(hooks.describe(title, noun, "response"));
		if (!hasFramework(context)) {
			logger
				.warn("hooks.{} has hooks, but neither Spring AI's ChatClient nor LangChain4j's AI services are there: "
						+ "the hooks are asked only by who asks their chain", section.key());
		}
	}

	/**
	 * Refuse hooks that come later if the frameworks bring their calls to the hooks only
	 * where the application has hooks at the start.
	 */
	private static void refuseUnasked(HookAssembly<?> assembly, Object chain, RunTimeHooks<?> hooks,
			HookSection<?> section, ConfigurableApplicationContext context) {
		boolean guarded = !assembly.hooks().isEmpty() && HookPresence
			.ofApplication(section, chain.getClass(), context.getBeanFactory(), context.getEnvironment())
			.getAsBoolean();
		if (assembly.made(chain) && !guarded && hasFramework(context)) {
			hooks.refuseHooks("there was no hook under 'hooks.%s' and no hook bean at the start, so clients and models "
				.formatted(section.key()) + "may have been made that pass no hooks. List one hook there.");
		}
	}

	private static boolean hasFramework(ApplicationContext context) {
		return FRAMEWORKS.stream().anyMatch((framework) -> ClassUtils.isPresent(framework, context.getClassLoader()));
	}

	/**
	 * The hooks around model calls are active, which they are unless switched off.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.LLM_CALL)
	static class LlmCalls {

		@Bean
		static LazyInitializationExcludeFilter llmHooksLazyInitializationExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(LlmHookChain.class, LlmHooks.class);
		}

		@Bean
		HookAssembly<LlmHook> llmHookAssembly(ConfigurableListableBeanFactory beanFactory,
				AllConfiguredHooks configuration, ObjectProvider<HookAroundProvider> arounds) {
			return new HookAssembly<>(HookSection.LLM_CALL, beanFactory, List.of(), configuration.llmCall(),
					arounds.orderedStream().toList());
		}

		@Bean
		@ConditionalOnMissingBean
		LlmHookChain llmHookChain(HookAssembly<LlmHook> assembly, ConfigurableApplicationContext context,
				AbortedRuns abortedRuns) {
			tell(assembly.hooks(), HookSection.LLM_CALL, "Every call of a model passes these hooks:", "call", context);
			return assembly.chain((hooks) -> new LlmHookChain(hooks.entries(Phase.PRE_CALL, PreLlmHook.class),
					hooks.entries(Phase.RESULT, LlmResponseHook.class),
					hooks.entries(Phase.POST_CALL, PostLlmHook.class), new HookEventPublisher.LlmCalls(context),
					abortedRuns));
		}

		@Bean
		RunTimeHooks.OfModelCalls llmHooks(HookAssembly<LlmHook> assembly, LlmHookChain chain,
				ConfigurableApplicationContext context) {
			assembly.checkReplacement(chain, "the hooks under 'hooks.llm_call'");
			RunTimeHooks.OfModelCalls hooks = new RunTimeHooks.OfModelCalls(assembly, chain,
					(active) -> chain.replaceEntries(active.entries(Phase.PRE_CALL, PreLlmHook.class),
							active.entries(Phase.RESULT, LlmResponseHook.class),
							active.entries(Phase.POST_CALL, PostLlmHook.class)));
			refuseUnasked(assembly, chain, hooks, HookSection.LLM_CALL, context);
			return hooks;
		}

		@Bean
		@ConditionalOnMissingBean(name = "beanLlmHookFactory")
		LlmHookFactory<BeanConfig> beanLlmHookFactory(ConfigurableListableBeanFactory beanFactory) {
			HookBeans<LlmHook> beans = new HookBeans<>(beanFactory, LlmHook.class);
			return LlmHookFactory.of(HookBeans.TYPE, BeanConfig.class, (name, config) -> beans.get(config));
		}

	}

	/**
	 * The hooks around runs are active, which they are unless switched off.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.RUN)
	static class Runs {

		@Bean
		static LazyInitializationExcludeFilter runHooksLazyInitializationExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(RunHookChain.class, RunHooks.class);
		}

		@Bean
		HookAssembly<RunHook> runHookAssembly(ConfigurableListableBeanFactory beanFactory,
				AllConfiguredHooks configuration, ObjectProvider<HookAroundProvider> arounds) {
			return new HookAssembly<>(HookSection.RUN, beanFactory, List.of(), configuration.run(),
					arounds.orderedStream().toList());
		}

		@Bean
		@ConditionalOnMissingBean
		RunHookChain runHookChain(HookAssembly<RunHook> assembly, ConfigurableApplicationContext context,
				AbortedRuns abortedRuns) {
			tell(assembly.hooks(), HookSection.RUN, "Every run of an agent passes these hooks:", "run", context);
			return assembly.chain((hooks) -> new RunHookChain(hooks.entries(Phase.PRE_CALL, PreRunHook.class),
					hooks.entries(Phase.POST_CALL, PostRunHook.class), new HookEventPublisher.Runs(context),
					abortedRuns));
		}

		@Bean
		RunTimeHooks.OfRuns runHooks(HookAssembly<RunHook> assembly, RunHookChain chain,
				ConfigurableApplicationContext context) {
			assembly.checkReplacement(chain, "the hooks under 'hooks.run'");
			RunTimeHooks.OfRuns hooks = new RunTimeHooks.OfRuns(assembly, chain,
					(active) -> chain.replaceEntries(active.entries(Phase.PRE_CALL, PreRunHook.class),
							active.entries(Phase.POST_CALL, PostRunHook.class)));
			refuseUnasked(assembly, chain, hooks, HookSection.RUN, context);
			return hooks;
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
			logger.warn("hooks.llm_call.enabled is false: calls of models pass no hooks");
		}

	}

	/**
	 * The hooks around runs are switched off, which must not go unnoticed.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(value = Kind.RUN, active = false)
	static class RunsOff {

		RunsOff() {
			logger.warn("hooks.run.enabled is false: runs of agents pass no hooks");
		}

	}

}
