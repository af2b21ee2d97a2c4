package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;

/**
 * Whether there can be hooks of a kind, by what is known before any bean is made: beans
 * that must be guarded are made before hooks are.
 *
 * @since 0.1.0
 */
public final class HookPresence {

	/** The auto-configurations that make chains and hooks of the starter. */
	private static final List<String> OWN = List.of(LlmCallHooksAutoConfiguration.class.getName(),
			RunHooksAutoConfiguration.class.getName(),
			"io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration");

	private HookPresence() {
	}

	/**
	 * Look for hooks of a kind, when that is asked first.
	 * @param section the kind of hooks
	 * @param chain the type of their chain
	 * @param beanFactory the beans of the application
	 * @param environment its configuration
	 * @return whether there can be such hooks
	 */
	public static BooleanSupplier of(HookSection<?> section, Class<?> chain,
			ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
		return SingletonSupplier.of(() -> find(section, chain, beanFactory, environment, true))::obtain;
	}

	/**
	 * Look for hooks of a kind that the application brings, which no call may escape; the
	 * starter's own only count.
	 * @param section the kind of hooks
	 * @param chain the type of their chain
	 * @param beanFactory the beans of the application
	 * @param environment its configuration
	 * @return whether there can be such hooks
	 */
	public static BooleanSupplier ofApplication(HookSection<?> section, Class<?> chain,
			ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
		return SingletonSupplier.of(() -> find(section, chain, beanFactory, environment, false))::obtain;
	}

	private static boolean find(HookSection<?> section, Class<?> chain, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment, boolean all) {
		String[] chains = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, chain, true, false);
		if (Stream.of(chains).allMatch((name) -> isOwn(name, beanFactory))) {
			return chains.length > 0 && (HookPropertySources.of(environment).isPresent(section)
					|| Stream.of(beanFactory.getBeanNamesForType(section.kind(), true, false))
						.anyMatch((hook) -> all || !isOwn(hook, beanFactory)));
		}
		return true;
	}

	/** By the name of the bean that makes it, which is there also ahead of time. */
	private static boolean isOwn(String name, ConfigurableListableBeanFactory beanFactory) {
		String maker = (beanFactory.containsBeanDefinition(name))
				? beanFactory.getBeanDefinition(name).getFactoryBeanName() : null;
		return maker != null && OWN.stream().anyMatch(maker::startsWith);
	}

}
