package io.agenthooks.spring.binding;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

import io.agenthooks.spring.HookFactory;

/**
 * Registers for a native image what the configuration of hooks and features is bound to.
 */
final class HookConfigAotProcessor implements BeanFactoryInitializationAotProcessor {

	private static final Logger logger = LoggerFactory.getLogger(HookConfigAotProcessor.class);

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		String[] factories = beanFactory.getBeanNamesForType(HookFactory.class, true, false);
		Set<Class<?>> types = new LinkedHashSet<>();
		beanFactory.getBeansOfType(FeatureOptions.class, false, false)
			.values()
			.forEach((feature) -> types.add(feature.type()));
		if (factories.length > 0) {
			types.addAll(List.of(ListEntry.class, BeanConfig.class));
		}
		if (types.isEmpty()) {
			return null;
		}
		for (String name : factories) {
			Class<?> type = configType(name, beanFactory);
			if (type != null) {
				types.add(type);
			}
		}
		return (generation, code) -> {
			ConfigHints hints = new ConfigHints(generation.getRuntimeHints());
			types.forEach(hints::register);
		};
	}

	/** The declaration of a factory mostly says the type; else the factory is asked. */
	private static @Nullable Class<?> configType(String name, ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory.containsBeanDefinition(name)) {
			ResolvableType declared = beanFactory.getMergedBeanDefinition(name).getResolvableType();
			Class<?> type = declared.as(HookFactory.class).getGeneric(1).resolve();
			if (type != null && type != Object.class) {
				return type;
			}
		}
		try {
			return beanFactory.getBean(name, HookFactory.class).configType();
		}
		catch (RuntimeException ex) {
			logger
				.warn("What the factory '{}' binds its config to is unknown, so a native image cannot do that: the bean "
						+ "cannot be made at build time ({}). Declare it with its type, as in ToolHookFactory<MyConfig>.",
						name, ex.getClass().getName());
			return null;
		}
	}

}
