package io.agenthooks.spring.guard;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.aopalliance.aop.Advice;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Puts a guard in front of beans, as close to them as Spring allows. A bean keeps its
 * class, so that it can be injected by it, unless that cannot be extended: then it is
 * known by its interfaces only.
 *
 * @since 0.1.0
 */
public abstract class BeanGuard extends AbstractAdvisingBeanPostProcessor implements PriorityOrdered {

	/**
	 * Create the guard.
	 * @param advisor what stands in front of the beans
	 */
	@SuppressWarnings("this-escape") // to setters of Spring's own
	protected BeanGuard(Advisor advisor) {
		this.advisor = advisor;
		setProxyTargetClass(true);
		setOrder(Ordered.HIGHEST_PRECEDENCE);
	}

	/**
	 * Guard a bean, unless it is guarded: a bean may be another one under another name.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (isAdvised(bean, this::isOwn)) ? bean : super.postProcessAfterInitialization(bean, beanName);
	}

	/**
	 * Whether an advice is what this guard puts in front of beans.
	 * @param advice the advice of a bean
	 * @return whether the bean needs no other
	 */
	protected boolean isOwn(Advice advice) {
		return this.advisor != null && this.advisor.getAdvice().getClass() == advice.getClass();
	}

	@Override
	protected void customizeProxyFactory(ProxyFactory proxyFactory) {
		Class<?> targetClass = proxyFactory.getTargetClass();
		if (targetClass != null && !isExtensible(targetClass)) {
			proxyFactory.setProxyTargetClass(false);
			evaluateProxyInterfaces(targetClass, proxyFactory);
		}
	}

	/**
	 * Whether a class can be extended, with all its methods that have to be guarded.
	 * @param type the class
	 * @return whether a guarded bean keeps it
	 */
	protected final boolean isExtensible(Class<?> type) {
		return !type.isSealed() && !Modifier.isFinal(type.getModifiers())
				&& Stream.of(type.getDeclaredConstructors())
					.map(Constructor::getModifiers)
					.anyMatch((modifiers) -> !Modifier.isPrivate(modifiers))
				&& Stream.of(type.getMethods())
					.noneMatch((method) -> Modifier.isFinal(method.getModifiers()) && mustBeGuarded(method));
	}

	/**
	 * Whether calls of a method have to pass the guard.
	 * @param method a method of a bean
	 * @return whether it has to be overridden
	 */
	protected abstract boolean mustBeGuarded(Method method);

	/**
	 * Whether an advice stands in front of a bean.
	 * @param bean the bean
	 * @param advice tells the advice from others
	 * @return whether it is there; also if the bean leads to another, as a scoped proxy
	 * does, which is guarded itself
	 */
	public static boolean isAdvised(Object bean, Predicate<Advice> advice) {
		if (ScopedProxies.isOne(bean)) {
			return true;
		}
		if (!(bean instanceof Advised advised)) {
			return false;
		}
		if (Stream.of(advised.getAdvisors()).map(Advisor::getAdvice).anyMatch(advice)) {
			return true;
		}
		Object target = AopProxyUtils.getSingletonTarget(bean);
		return target != null && isAdvised(target, advice);
	}

}
