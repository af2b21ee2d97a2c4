package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.AbortedRuns;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.RefusalText;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHook;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.binding.BeanConfig;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HooksReader;
import io.agenthooks.spring.external.LostNotifications;
import io.agenthooks.spring.external.SilentDeciders;
import io.agenthooks.spring.guard.GuardConfiguration;
import io.agenthooks.spring.scope.MentionSource;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.UnmatchedNames;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;

@Configuration(proxyBeanMethods = false)
@Import(GuardConfiguration.class)
class SharedHooksConfiguration {

	@Bean
	ScopeVerifier hookScopeVerifier(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment,
			AllConfiguredHooks configuration, ObjectProvider<AnnotatedToolHooks> methods,
			ObjectProvider<NameSource> sources, ObjectProvider<MentionSource> others, UnmatchedNames unmatched) {
		return new ScopeVerifier(beanFactory, HookPropertySources.of(environment), configuration, methods, sources,
				others, unmatched);
	}

	@Bean
	UnmatchedNames unmatchedHookNames() {
		return new UnmatchedNames();
	}

	@Bean
	LostNotifications lostHookNotifications() {
		return new LostNotifications();
	}

	@Bean
	SilentDeciders silentHookDeciders() {
		return new SilentDeciders();
	}

	@Bean
	AllConfiguredHooks hooksConfiguration(ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment, ObjectProvider<ToolHookFactory<?>> toolHooks,
			ObjectProvider<LlmHookFactory<?>> llmHooks, ObjectProvider<RunHookFactory<?>> runHooks,
			ObjectProvider<HookConfigValidation> validation, ObjectProvider<FeatureOptions<?>> features) {
		Function<Object, List<Problem>> validator = validation.getIfAvailable(() -> (config) -> List.of());
		HooksReader reader = new HooksReader(environment, beanFactory.getConversionService(), validator);
		return new AllConfiguredHooks(HookPropertySources.of(environment), reader,
				and(toolHooks,
						ToolHookFactory.of(HookBeans.TYPE, BeanConfig.class,
								new HookBeans<>(beanFactory, ToolHook.class)::get)),
				and(llmHooks,
						LlmHookFactory.of(HookBeans.TYPE, BeanConfig.class,
								new HookBeans<>(beanFactory, LlmHook.class)::get)),
				and(runHooks,
						RunHookFactory.of(HookBeans.TYPE, BeanConfig.class,
								new HookBeans<>(beanFactory, RunHook.class)::get)),
				features.stream(), ToolPolicies.findIn(beanFactory));
	}

	@Bean
	static FeatureOptions<RefusalConfig> hooksRefusalOptions(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new FeatureOptions<>("refusal", RefusalConfig.class, RefusalConfig.NONE, environment, beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean
	RefusalText hooksRefusalText(FeatureOptions<RefusalConfig> options, ApplicationContext messages) {
		return new LocalizedRefusalText(messages, options.value().orDefault());
	}

	@Bean
	RefusalTexts hooksRefusalTexts(RefusalText text, ObjectProvider<ToolHookChain> toolCalls,
			ObjectProvider<LlmHookChain> modelCalls) {
		return new RefusalTexts(text, toolCalls, modelCalls);
	}

	@Bean
	HookBounds hookBounds(ConfigurableEnvironment environment, ObjectProvider<HookCountsReader> readers,
			ApplicationContext context) {
		return new HookBounds(HookPropertySources.of(environment), readers.orderedStream().toList(), context);
	}

	@Bean
	ClosingGates closingGates(ConfigurableListableBeanFactory beanFactory) {
		return new ClosingGates(beanFactory);
	}

	private static <F> List<F> and(ObjectProvider<F> beans, F own) {
		return Stream.concat(beans.orderedStream(), Stream.of(own)).toList();
	}

	@Bean
	HealthOfHooks healthOfHooks(ObjectProvider<RunTimeHooks<?>> hooks) {
		return new HealthOfHooks(hooks);
	}

	/** A run that is aborted in one chain is over for the others. */
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

	/** Gives all chains the text for persons, also those of the application. */
	record RefusalTexts(RefusalText text, ObjectProvider<ToolHookChain> toolCalls,
			ObjectProvider<LlmHookChain> modelCalls) implements SmartInitializingSingleton {

		@Override
		public void afterSingletonsInstantiated() {
			this.toolCalls.stream().forEach((chain) -> chain.setRefusalText(this.text));
			this.modelCalls.stream().forEach((chain) -> chain.setRefusalText(this.text));
		}

	}

}
