package io.agenthooks.spring.guard;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Guards the beans of a child context with the hooks of this one. The child has to be
 * initialized before it is refreshed; one that Spring Boot starts without hooks of its
 * own is so by itself. A child that is not, and has something to guard, does not start.
 *
 * @since 0.1.0
 */
public final class ChildContextGuard implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private final AbstractBeanFactory parent;

	ChildContextGuard(AbstractBeanFactory parent) {
		this.parent = parent;
	}

	@Override
	public void initialize(ConfigurableApplicationContext child) {
		child.addBeanFactoryPostProcessor(this::guard);
	}

	/**
	 * Guard the beans of a context that has no guards of its own and is started below one
	 * that has.
	 * @param child the beans of that context, none of which is made yet
	 */
	public static void guardByParent(ConfigurableListableBeanFactory child) {
		if (child.getBeanNamesForType(GuardVerifier.class, true, false).length == 0
				&& child.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) {
			parent.getBeanProvider(ChildContextGuard.class).ifAvailable((guard) -> guard.guard(child));
		}
	}

	void guard(ConfigurableListableBeanFactory child) {
		this.parent.getBeanPostProcessors()
			.stream()
			.filter((processor) -> processor.getClass().getPackageName().startsWith("io.agenthooks.spring"))
			.forEach(child::addBeanPostProcessor);
	}

}
