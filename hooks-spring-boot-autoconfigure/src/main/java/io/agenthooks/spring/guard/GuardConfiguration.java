package io.agenthooks.spring.guard;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.binding.HookPropertySources;

/**
 * Verifies and proves the guards of an application context, and guards those below it.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@ImportRuntimeHints(GuardHints.class)
public class GuardConfiguration {

	@Bean
	static GuardProof hooksGuardProof(ObjectProvider<GuardedType> types) {
		return new GuardProof(types);
	}

	/** Where beans are lazy, the same is checked at the start, with the same hooks. */
	@Bean
	static LazyInitializationExcludeFilter hooksLazyInitializationExcludeFilter() {
		return (name, definition, type) -> StarterBeans.isOne(definition) || UnseenHooks.mayBeHook(definition, type);
	}

	@Bean
	UnseenHooks hooksUnseenHooks(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
		return new UnseenHooks(beanFactory, HookPropertySources.of(environment).isStrict());
	}

	@Bean
	GuardVerifier hooksGuardVerifier(ConfigurableApplicationContext context, GuardProof proof) {
		return new GuardVerifier(context, proof);
	}

	@Bean
	ChildContextGuard childContextGuard(AbstractBeanFactory beanFactory) {
		return new ChildContextGuard(beanFactory);
	}

}
