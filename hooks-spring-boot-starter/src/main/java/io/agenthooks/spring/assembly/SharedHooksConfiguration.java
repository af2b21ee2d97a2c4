package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.AbortedRuns;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.BeanConfig;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HooksReader;
import io.agenthooks.spring.guard.GuardConfiguration;
import io.agenthooks.spring.scope.MentionSource;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * What the hooks of every kind need.
 */
@Configuration(proxyBeanMethods = false)
@Import(GuardConfiguration.class)
class SharedHooksConfiguration {

	/**
	 * What is checked, or logged, at the start.
	 */
	@Bean
	static LazyInitializationExcludeFilter hooksLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(AllConfiguredHooks.class, HookAssembly.class,
				ToolHookChain.class, LlmHookChain.class, RunHookChain.class, RunTimeHooks.class,
				ActiveToolCallHooks.class, RuleVerifier.class, ScopeVerifier.class);
	}

	@Bean
	ScopeVerifier hookScopeVerifier(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment,
			AllConfiguredHooks configuration, ObjectProvider<AnnotatedToolHooks> methods,
			ObjectProvider<NameSource> sources, ObjectProvider<MentionSource> others) {
		return new ScopeVerifier(beanFactory, HookPropertySources.of(environment), configuration, methods, sources,
				others);
	}

	@Bean
	AllConfiguredHooks hooksConfiguration(ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment, ObjectProvider<ToolHookFactory<?>> toolHooks,
			ObjectProvider<LlmHookFactory<?>> llmHooks, ObjectProvider<RunHookFactory<?>> runHooks,
			ObjectProvider<HookConfigValidation> validation, ObjectProvider<FeatureOptions> features) {
		Function<Object, List<Problem>> validator = validation.getIfAvailable(() -> (config) -> List.of());
		HooksReader reader = new HooksReader(environment, beanFactory.getConversionService(), validator);
		HookBeans<ToolHook> toolBeans = new HookBeans<>(beanFactory, ToolHook.class);
		HookBeans<LlmHook> llmBeans = new HookBeans<>(beanFactory, LlmHook.class);
		HookBeans<RunHook> runBeans = new HookBeans<>(beanFactory, RunHook.class);
		return new AllConfiguredHooks(HookPropertySources.of(environment), reader,
				and(toolHooks, ToolHookFactory.of(HookBeans.TYPE, BeanConfig.class, toolBeans::get)),
				and(llmHooks, LlmHookFactory.of(HookBeans.TYPE, BeanConfig.class, llmBeans::get)),
				and(runHooks, RunHookFactory.of(HookBeans.TYPE, BeanConfig.class, runBeans::get)), features.stream());
	}

	@Bean
	HookBounds hookBounds(ConfigurableEnvironment environment, ObjectProvider<HookAroundProvider> arounds,
			ApplicationContext context) {
		return new HookBounds(HookPropertySources.of(environment), arounds.orderedStream().toList(), context);
	}

	private static <F> List<F> and(ObjectProvider<F> beans, F own) {
		return Stream.concat(beans.orderedStream(), Stream.of(own)).toList();
	}

	@Bean
	HealthOfHooks healthOfHooks(ObjectProvider<CheckedHooks> hooks) {
		return new HealthOfHooks(hooks);
	}

	/**
	 * A run that is aborted in one chain is over for the others.
	 */
	@Bean
	@ConditionalOnMissingBean
	AbortedRuns abortedRuns() {
		return new AbortedRuns();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(jakarta.validation.Validator.class)
	static class ValidationConfiguration {

		@Bean
		HookConfigValidation hookConfigValidation(ObjectProvider<jakarta.validation.Validator> validators) {
			return new BeanHookConfigValidation(validators);
		}

	}

}
