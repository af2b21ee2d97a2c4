package io.agenthooks.spring.autoconfigure;

import java.util.List;
import java.util.function.Function;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.AbortedRuns;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.binding.HooksProperties;
import io.agenthooks.spring.binding.HooksReader;
import io.agenthooks.spring.process.ProcessPrograms;
import io.agenthooks.spring.webhook.WebhookClientCustomizer;
import io.agenthooks.spring.webhook.WebhookEndpoints;

/**
 * What the hooks of every kind need.
 */
@Configuration(proxyBeanMethods = false)
class SharedHooksConfiguration {

	@Bean
	static GuardProof hooksGuardProof(ObjectProvider<GuardedType> types) {
		return new GuardProof(types);
	}

	@Bean
	static LazyInitializationExcludeFilter hooksGuardLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(GuardVerifier.class);
	}

	@Bean
	GuardVerifier hooksGuardVerifier(ConfigurableApplicationContext context, GuardProof proof) {
		return new GuardVerifier(context, proof);
	}

	@Bean
	ChildContextGuard childContextGuard(AbstractBeanFactory beanFactory) {
		return new ChildContextGuard(beanFactory);
	}

	@Bean
	HooksConfiguration hooksConfiguration(ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment, ObjectProvider<ToolHookFactory<?>> toolHooks,
			ObjectProvider<LlmHookFactory<?>> llmHooks, ObjectProvider<RunHookFactory<?>> runHooks,
			ObjectProvider<HookConfigValidation> validation) {
		Function<Object, List<Problem>> validator = validation.getIfAvailable(() -> (config) -> List.of());
		HooksReader reader = new HooksReader(environment, beanFactory.getConversionService(), validator);
		return new HooksConfiguration(HooksProperties.of(environment), reader, toolHooks.orderedStream().toList(),
				llmHooks.orderedStream().toList(), runHooks.orderedStream().toList());
	}

	/**
	 * A run that is aborted in one chain is over for the others.
	 */
	@Bean
	@ConditionalOnMissingBean
	AbortedRuns abortedRuns() {
		return new AbortedRuns();
	}

	@Bean
	@ConditionalOnMissingBean
	ProcessPrograms hookProcessPrograms() {
		return new ProcessPrograms();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class })
	static class WebhookConfiguration {

		@Bean
		@ConditionalOnMissingBean
		WebhookEndpoints webhookEndpoints(ObjectProvider<WebClientCustomizer> everyClient,
				ObjectProvider<WebhookClientCustomizer> webhooks) {
			return new WebhookEndpoints(() -> builder(everyClient), webhooks.orderedStream().toList());
		}

		/**
		 * A builder of our own, not the bean of the application: that may balance load
		 * between named services or carry credentials for other hosts.
		 */
		private static WebClient.Builder builder(ObjectProvider<WebClientCustomizer> everyClient) {
			WebClient.Builder builder = WebClient.builder();
			everyClient.orderedStream().forEach((customizer) -> customizer.customize(builder));
			return builder;
		}

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
