package io.agenthooks.spring.autoconfigure;

import com.github.benmanes.caffeine.cache.Caffeine;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.cache.caffeine.CaffeineCache;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.AbortedRuns;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.spring.ToolHookDecorator;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.answer.CacheConfig;
import io.agenthooks.spring.answer.CacheToolHook;
import io.agenthooks.spring.answer.RespondConfig;
import io.agenthooks.spring.answer.RespondToolHook;
import io.agenthooks.spring.answer.ToolResultCacheProvider;
import io.agenthooks.spring.binding.BeanConfig;
import io.agenthooks.spring.binding.HooksProperties;
import io.agenthooks.spring.child.CallClock;
import io.agenthooks.spring.command.CommandToolHookFactory;
import io.agenthooks.spring.process.ProcessPrograms;
import io.agenthooks.spring.process.ProcessToolHookFactory;
import io.agenthooks.spring.webhook.WebhookEndpoints;
import io.agenthooks.spring.webhook.WebhookToolHookFactory;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Guards every {@link io.agenthooks.toolcall.ToolExecutor} bean with the hooks that are
 * beans or stand under {@code hooks.tool_call}.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@Import(SharedHooksConfiguration.class)
public final class ToolCallHooksAutoConfiguration {

	/**
	 * The hooks are in force, which they are unless switched off.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(HooksSwitch.On.class)
	static class HooksInForce {

		/**
		 * The name of the chain's bean.
		 */
		static final String CHAIN = "assembledToolHookChain";

		@Bean
		static ToolExecutorGuard toolExecutorGuard(ObjectProvider<ToolHookChain> chain) {
			return new ToolExecutorGuard(chain);
		}

		@Bean
		static LazyInitializationExcludeFilter toolHooksLazyInitializationExcludeFilter() {
			return LazyInitializationExcludeFilter.forBeanTypes(ToolHookAssembly.class, ToolHookChain.class,
					ToolCallsInForce.class, RuleVerifier.class);
		}

		@Bean
		AnnotatedToolHooks annotatedToolHooks(ConfigurableListableBeanFactory beanFactory) {
			return AnnotatedToolHooks.findIn(beanFactory);
		}

		@Bean
		ToolHookAssembly toolHookAssembly(ConfigurableListableBeanFactory beanFactory, AnnotatedToolHooks methods,
				HooksConfiguration configuration, ObjectProvider<ToolHookDecorator> decorators,
				AbortedRuns abortedRuns) {
			return new ToolHookAssembly(beanFactory, methods, configuration, decorators.orderedStream().toList(),
					abortedRuns);
		}

		@Bean(CHAIN)
		@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
		ToolHookChain toolHookChain(ToolHookAssembly assembly, ObjectProvider<ToolApprover> approver,
				ConfigurableApplicationContext context) {
			return assembly.chain(approver.getIfAvailable(ToolApprover::nobody),
					new HookEventPublisher.ToolCalls(context));
		}

		/**
		 * Made together with the chain, so no call precedes the switch.
		 */
		@Bean
		ToolHookRegistry toolHooks(ToolHookAssembly assembly, ToolHookChain chain) {
			return assembly.registry(chain);
		}

		@Bean
		ToolCallsInForce toolCallsInForce(ToolHookAssembly assembly, AnnotatedToolHooks methods, ToolHookChain chain,
				ToolHookRegistry registry, ToolExecutorGuard guard, ConfigurableEnvironment environment) {
			return new ToolCallsInForce(assembly, methods, chain, registry, guard,
					HooksProperties.of(environment).unguarded());
		}

		@Bean
		RuleVerifier toolRuleVerifier(ConfigurableListableBeanFactory beanFactory, HooksConfiguration configuration,
				AnnotatedToolHooks methods) {
			return new RuleVerifier(beanFactory, configuration, methods);
		}

		@Bean
		static GuardedType guardedToolExecutors() {
			return new GuardedType(ToolExecutor.class, ToolExecutorGuard::isGuarded, ToolExecutorGuard::prove);
		}

		@Bean
		@ConditionalOnMissingBean(name = "beanToolHookFactory")
		ToolHookFactory<BeanConfig> beanToolHookFactory(ConfigurableListableBeanFactory beanFactory) {
			HookBeans<ToolHook> beans = new HookBeans<>(beanFactory, ToolHook.class);
			return ToolHookFactory.of(HookBeans.TYPE, BeanConfig.class, beans::get);
		}

		@Bean
		@ConditionalOnMissingBean(name = "passthroughToolHookFactory")
		ToolHookFactory<NoOptions> passthroughToolHookFactory() {
			PreToolHook passthrough = (call) -> ToolDecision.approve();
			return ToolHookFactory.of("passthrough", NoOptions.class, (options) -> passthrough);
		}

		@Bean
		@ConditionalOnMissingBean(name = "policyToolHookFactory")
		ToolHookFactory<PolicyConfig> policyToolHookFactory() {
			return ToolHookFactory.of("policy", PolicyConfig.class, PolicyToolHook::new);
		}

		@Bean
		@ConditionalOnMissingBean(name = "redactToolHookFactory")
		ToolHookFactory<RedactConfig> redactToolHookFactory() {
			return ToolHookFactory.of("redact", RedactConfig.class, RedactToolHook::new);
		}

		@Bean
		@ConditionalOnMissingBean(name = "respondToolHookFactory")
		ToolHookFactory<RespondConfig> respondToolHookFactory() {
			return ToolHookFactory.of("respond", RespondConfig.class, RespondToolHook::new);
		}

		@Bean
		@ConditionalOnMissingBean(name = "cacheToolHookFactory")
		ToolHookFactory<CacheConfig> cacheToolHookFactory(ObjectProvider<ToolResultCacheProvider> caches) {
			return ToolHookFactory.of("cache", CacheConfig.class, (name, config) -> new CacheToolHook(name, config,
					caches.getIfAvailable(ToolResultCacheProvider::inMemory)));
		}

		/**
		 * Listens only when a hook needs it: to publish events takes time.
		 */
		@Bean
		SingletonSupplier<CallClock> hookCallClock(ConfigurableApplicationContext context) {
			return SingletonSupplier.of(() -> {
				CallClock clock = new CallClock();
				context.addApplicationListener(clock);
				return clock;
			});
		}

		@Bean
		@ConditionalOnMissingBean
		CommandToolHookFactory commandToolHookFactory(
				@Qualifier("hookCallClock") SingletonSupplier<CallClock> hookCallClock) {
			return new CommandToolHookFactory(hookCallClock::obtain);
		}

		@Bean
		@ConditionalOnMissingBean
		ProcessToolHookFactory processToolHookFactory(ProcessPrograms programs,
				@Qualifier("hookCallClock") SingletonSupplier<CallClock> hookCallClock) {
			return new ProcessToolHookFactory(programs, hookCallClock::obtain);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass({ Caffeine.class, CaffeineCache.class })
		static class CaffeineConfiguration {

			@Bean
			@ConditionalOnMissingBean
			ToolResultCacheProvider toolResultCacheProvider() {
				return ToolResultCacheProvider.caffeine();
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class })
		static class WebhookConfiguration {

			@Bean
			@ConditionalOnMissingBean
			WebhookToolHookFactory webhookToolHookFactory(WebhookEndpoints endpoints) {
				return new WebhookToolHookFactory(endpoints);
			}

		}

	}

	/**
	 * The hooks are switched off, which must not go unnoticed.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(HooksSwitch.Off.class)
	static class HooksOff {

		HooksOff() {
			LoggerFactory.getLogger(ToolCallHooksAutoConfiguration.class)
				.warn("hooks.tool_call.enabled is false: calls of tools pass no hooks");
		}

	}

	/**
	 * The configuration of a hook that has none.
	 */
	record NoOptions() {
	}

}
