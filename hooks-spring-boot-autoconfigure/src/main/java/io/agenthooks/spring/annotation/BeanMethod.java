package io.agenthooks.spring.annotation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * The bean is got at the first call, since it may itself need what calls tools; at every
 * call if it is not a singleton.
 */
final class BeanMethod {

	private final ConfigurableListableBeanFactory beanFactory;

	private final String beanName;

	private final Method method;

	private final boolean suspending;

	private volatile @Nullable Target singleton;

	BeanMethod(ConfigurableListableBeanFactory beanFactory, String beanName, Method method) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.method = method;
		this.suspending = SuspendingMethods.contain(method);
	}

	/** An exception of the method is thrown as it is, checked or not. */
	@Nullable Object invoke(@Nullable Object[] arguments) {
		Target target = target();
		if (this.suspending) {
			return SuspendingMethods.invoke(target.method(), target.bean(), arguments);
		}
		try {
			return target.method().invoke(target.bean(), arguments);
		}
		catch (InvocationTargetException ex) {
			return BeanMethod.<RuntimeException>rethrow(ex.getTargetException());
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> @Nullable Object rethrow(Throwable ex) throws E {
		throw (E) ex;
	}

	private Target target() {
		Target known = this.singleton;
		if (known != null) {
			return known;
		}
		Target target = Target.of(this.beanFactory.getBean(this.beanName), this.method);
		if (isComplete()) {
			this.singleton = target;
		}
		return target;
	}

	private boolean isComplete() {
		return this.beanFactory.containsSingleton(this.beanName) && this.beanFactory.isSingleton(this.beanName);
	}

	void check() {
		if (isComplete()) {
			target();
		}
	}

	void registerHints(RuntimeHints hints) {
		hints.reflection().registerMethod(this.method, ExecutableMode.INVOKE);
		BindingReflectionHintsRegistrar values = new BindingReflectionHintsRegistrar();
		values.registerReflectionHints(hints.reflection(), this.method.getGenericParameterTypes());
		values.registerReflectionHints(hints.reflection(), this.method.getGenericReturnType());
	}

	private record Target(Object bean, Method method) {

		static Target of(Object bean, Method method) {
			Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
			if (AopUtils.isCglibProxy(bean) && !isOverridden(invocable, bean.getClass())) {
				// It would run on the proxy itself, where all fields are empty.
				throw new IllegalStateException("The proxy of the bean cannot override the method");
			}
			ReflectionUtils.makeAccessible(invocable);
			return new Target(bean, invocable);
		}

		private static boolean isOverridden(Method method, Class<?> proxyClass) {
			return method.getDeclaringClass().isInterface() || Stream.of(proxyClass.getDeclaredMethods())
				.anyMatch((declared) -> declared.getName().equals(method.getName())
						&& declared.getParameterCount() == method.getParameterCount()
						&& Stream.of(declared.getParameterTypes())
							.toList()
							.equals(Stream.of(method.getParameterTypes()).toList()));
		}

	}

}
