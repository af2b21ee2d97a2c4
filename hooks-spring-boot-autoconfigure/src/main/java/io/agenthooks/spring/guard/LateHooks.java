package io.agenthooks.spring.guard;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses beans that are made after the start and have hooks which the chain does not
 * know, such as lazy ones whose declared type does not say so: they would not be asked.
 */
final class LateHooks implements BeanPostProcessor {

	private final ConfigurableListableBeanFactory beanFactory;

	private final List<MissedHooks> hooks;

	private final Map<String, Class<?>> harmless = new ConcurrentHashMap<>();

	LateHooks(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.hooks = beanFactory.getBeanProvider(MissedHooks.class).stream().toList();
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (this.beanFactory.containsBeanDefinition(beanName)) {
			examine(beanName, bean);
		}
		return bean;
	}

	void examine(String beanName, Object bean) {
		Class<?> type = bean.getClass();
		if (type.equals(this.harmless.get(beanName))) {
			return;
		}
		List<String> missed = this.hooks.stream()
			.flatMap((each) -> each.notAskedOf(beanName, bean).stream())
			.distinct()
			.toList();
		if (!missed.isEmpty()) {
			throw new BeanCreationException(beanName,
					("It is made after the start and has hooks that would not be asked: %s. Declare the bean with its own "
							+ "class, %s, or let it be made at the start, so that its hooks are known then; write a @Bean "
							+ "method for each hook of a collection. What is registered with ToolHooks must not be a bean.")
						.formatted(missed, type.getName()));
		}
		if (!type.isArray() && !type.getName().startsWith("java.util.")) {
			this.harmless.put(beanName, type);
		}
	}

}
