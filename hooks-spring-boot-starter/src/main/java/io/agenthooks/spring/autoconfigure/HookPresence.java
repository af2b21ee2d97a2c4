package io.agenthooks.spring.autoconfigure;

import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.binding.HooksProperties;

/**
 * Whether there can be hooks of a kind, by what is known before any bean is made: beans
 * that must be guarded are made before hooks are, and some hooks need them.
 */
final class HookPresence {

	private HookPresence() {
	}

	/**
	 * Look for hooks of a kind when that is asked first.
	 */
	static BooleanSupplier of(HookSection<?> section, Class<?> chain, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		return SingletonSupplier.of(() -> find(section, chain, beanFactory, environment))::obtain;
	}

	private static boolean find(HookSection<?> section, Class<?> chain, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		String[] chains = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, chain, true, false);
		if (Stream.of(chains).allMatch((name) -> isOwn(name, beanFactory))) {
			return chains.length > 0 && (HooksProperties.of(environment).isPresent(section)
					|| beanFactory.getBeanNamesForType(section.kind(), true, false).length > 0);
		}
		return true;
	}

	/**
	 * Whether a chain is the one that is put together of the hooks of this context. Of
	 * any other nobody knows what it holds.
	 */
	private static boolean isOwn(String name, ConfigurableListableBeanFactory beanFactory) {
		if (!beanFactory.containsBeanDefinition(name)
				|| !(beanFactory.getBeanDefinition(name) instanceof AnnotatedBeanDefinition definition)) {
			return false;
		}
		MethodMetadata method = definition.getFactoryMethodMetadata();
		return method != null && method.getDeclaringClassName().startsWith(AgentHooksAutoConfiguration.class.getName());
	}

}
