package io.agenthooks.spring.guard;

import java.util.Objects;

import org.springframework.beans.factory.config.BeanDefinition;

/**
 * Tells the beans of the starter from those of an application.
 *
 * @since 0.1.0
 */
public final class StarterBeans {

	private static final String PACKAGE = "io.agenthooks.spring.";

	private StarterBeans() {
	}

	/**
	 * Whether the starter makes a bean.
	 * @param definition the definition of the bean
	 * @return whether a configuration of the starter declares it
	 */
	public static boolean isOne(BeanDefinition definition) {
		return makerOf(definition).startsWith(PACKAGE);
	}

	static String makerOf(BeanDefinition definition) {
		return Objects.requireNonNullElse(definition.getFactoryBeanName(),
				Objects.requireNonNullElse(definition.getBeanClassName(), ""));
	}

}
