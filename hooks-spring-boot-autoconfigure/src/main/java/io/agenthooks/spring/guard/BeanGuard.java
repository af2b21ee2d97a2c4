package io.agenthooks.spring.guard;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.DefaultAdvisorChainFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;

import io.agenthooks.chain.Probe;

/**
 * Puts a guard in front of beans, as close to them as Spring allows. A bean keeps its
 * class, so that it can be injected by it, unless that cannot be extended: then it is
 * known by its interfaces only.
 *
 * @since 0.1.0
 */
public abstract class BeanGuard extends AbstractAdvisingBeanPostProcessor implements PriorityOrdered {

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

	protected abstract boolean mustBeGuarded(Method method);

	/**
	 * Prove that an advice in front of a bean asks a gate, by calls that the gate has to
	 * deny. They enter at the advice, so no aspect of the application sees them; and
	 * behind it there is nothing, so the bean is not asked whatever is wrong.
	 * @param bean the bean
	 * @param gate the gate
	 * @param advice tells the advice from others
	 * @param asks whether calls of a method have to be denied
	 * @param arguments makes the arguments of such a call
	 * @return whether the gate denied each method
	 */
	protected static boolean isProved(Object bean, Object gate, Predicate<Advice> advice, Predicate<Method> asks,
			Function<Method, @Nullable Object[]> arguments) {
		Object guarded = advisedBy(bean, advice);
		if (!(guarded instanceof Advised advised)) {
			return false;
		}
		List<Method> entries = Stream
			.concat(Stream.of(guarded.getClass().getMethods()),
					ClassUtils.getAllInterfacesAsSet(guarded).stream().flatMap((type) -> Stream.of(type.getMethods())))
			.filter((method) -> asks.test(method) && !method.isBridge() && !Modifier.isStatic(method.getModifiers()))
			.toList();
		return !entries.isEmpty() && entries.stream()
			.allMatch((entry) -> isIntercepted(entry, guarded)
					&& isDenied(entry, guarded, advised, gate, advice, arguments.apply(entry)));
	}

	private static boolean isIntercepted(Method entry, Object guarded) {
		return entry.getDeclaringClass().isInterface() || entry.getDeclaringClass() == guarded.getClass();
	}

	private static boolean isDenied(Method entry, Object guarded, Advised advised, Object gate,
			Predicate<Advice> advice, @Nullable Object[] arguments) {
		Class<?> type = Objects.requireNonNullElse(advised.getTargetClass(), guarded.getClass());
		return DefaultAdvisorChainFactory.INSTANCE.getInterceptorsAndDynamicInterceptionAdvice(advised, entry, type)
			.stream()
			.filter((interceptor) -> interceptor instanceof Advice one && advice.test(one))
			.anyMatch((guard) -> Probe.isDenied(gate,
					() -> new ProbeInvocation(guarded, entry, arguments, type, List.of(guard)).send()));
	}

	private static @Nullable Object advisedBy(Object bean, Predicate<Advice> advice) {
		if (!(bean instanceof Advised advised)) {
			return null;
		}
		if (Stream.of(advised.getAdvisors()).map(Advisor::getAdvice).anyMatch(advice)) {
			return bean;
		}
		Object target = AopProxyUtils.getSingletonTarget(bean);
		return (target != null) ? advisedBy(target, advice) : null;
	}

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

	/** It meets only a guard, and nothing behind it. */
	private static final class ProbeInvocation extends ReflectiveMethodInvocation {

		ProbeInvocation(Object proxy, Method method, @Nullable Object[] arguments, Class<?> type, List<Object> guards) {
			super(proxy, null, method, arguments, type, guards);
		}

		@Nullable Object send() {
			try {
				return proceed();
			}
			catch (RuntimeException | Error ex) {
				throw ex;
			}
			catch (Throwable ex) {
				throw new UndeclaredThrowableException(ex);
			}
		}

		@Override
		protected @Nullable Object invokeJoinpoint() {
			throw new IllegalStateException("A call that must be denied reached a bean");
		}

	}

}
