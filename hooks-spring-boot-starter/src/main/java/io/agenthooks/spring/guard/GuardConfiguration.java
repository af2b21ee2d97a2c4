package io.agenthooks.spring.guard;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

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

	@Bean
	static GivenBeansGuard hooksGivenBeansGuard(GuardProof proof) {
		return new GivenBeansGuard(proof);
	}

	@Bean
	static LazyInitializationExcludeFilter hooksGuardLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(GuardVerifier.class);
	}

	@Bean
	GuardVerifier hooksGuardVerifier(ConfigurableApplicationContext context, GuardProof proof,
			GivenBeansGuard givenBeans) {
		return new GuardVerifier(context, proof, givenBeans);
	}

	@Bean
	ChildContextGuard childContextGuard(AbstractBeanFactory beanFactory) {
		return new ChildContextGuard(beanFactory);
	}

}
