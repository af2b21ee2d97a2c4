package io.agenthooks.spring.guard;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.target.AbstractBeanFactoryBasedTargetSource;

/**
 * Recognizes the proxies that Spring makes for scopes. They lead to another bean, which
 * is guarded itself.
 *
 * @since 0.1.0
 */
public final class ScopedProxies {

	private ScopedProxies() {
	}

	/**
	 * Whether a bean is one. Anybody can write a class with the interface by which Spring
	 * marks them, so that alone does not count.
	 * @param bean the bean
	 * @return whether Spring made it for a scope
	 */
	public static boolean isOne(Object bean) {
		return bean instanceof AopInfrastructureBean && bean instanceof Advised advised
				&& advised.getTargetSource() instanceof AbstractBeanFactoryBasedTargetSource;
	}

}
