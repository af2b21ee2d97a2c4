package io.agenthooks.spring.guard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Warns of hooks of beans that are made, or registered, only after the start, such as
 * lazy ones whose declared type does not say that they are hooks: the chain does not have
 * them.
 */
final class LateHooks implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(LateHooks.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final List<MissedHooks> hooks;

	private final Set<String> seen = ConcurrentHashMap.newKeySet();

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

	/**
	 * Warn of the hooks of a bean, once.
	 */
	void examine(String beanName, Object bean) {
		if (!this.seen.add(beanName)) {
			return;
		}
		List<String> missed = this.hooks.stream()
			.flatMap((each) -> each.notAskedOf(beanName, bean).stream())
			.distinct()
			.toList();
		if (!missed.isEmpty()) {
			logger.warn(
					"The bean '{}' was made after the start, so its hooks are not asked unless they are registered "
							+ "with ToolHooks: {}. Declare it with its own class, so that they are known at the start.",
					beanName, missed);
		}
	}

}
