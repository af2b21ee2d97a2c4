package io.agenthooks.spring.guard;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;

/**
 * Stands in front of beans that give others when they are asked, such as a
 * {@code Supplier} of tools: what they give passes all guards as if it were a bean
 * itself.
 */
final class GivenBeansGuard implements BeanPostProcessor, BeanFactoryPostProcessor, PriorityOrdered {

	private final GuardProof proof;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	GivenBeansGuard(GuardProof proof) {
		this.proof = proof;
	}

	/** The processors by which the hooks guard the beans of a context. */
	static List<BeanPostProcessor> guardsOf(AbstractBeanFactory factory) {
		return factory.getBeanPostProcessors()
			.stream()
			.filter((processor) -> processor.getClass().getPackageName().startsWith("io.agenthooks.spring"))
			.toList();
	}

	/**
	 * Whether a bean, or an object in it, gives what must be guarded, and this does not
	 * stand in front of it.
	 */
	static boolean escapes(Object bean, String beanName, GivenTypes types, ConfigurableListableBeanFactory factory) {
		return (isUnguardedGiver(bean) && types.mayGive(bean, beanName, factory))
				|| types.isRefused(bean, beanName, factory);
	}

	private static boolean isUnguardedGiver(Object bean) {
		return GivenTypes.isGiver(bean) && !BeanGuard.isAdvised(bean, GivenAdvice.class::isInstance)
				&& !TestDoubles.isMock(bean);
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/**
	 * Guard what is registered ready-made before there are beans. No bean of the
	 * application has it yet.
	 */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
		this.beanFactory = factory;
		for (String name : factory.getSingletonNames()) {
			Object bean = factory.getSingleton(name);
			if (bean != null && !factory.containsBeanDefinition(name)) {
				replaceReadyMade(name, bean, factory);
			}
		}
	}

	@SuppressWarnings("ReferenceEquality") // of the very bean
	void replaceReadyMade(String name, Object bean, ConfigurableListableBeanFactory factory) {
		Object guarded = guard(bean, name, factory);
		if (guarded != bean && factory instanceof DefaultSingletonBeanRegistry registry) {
			registry.destroySingleton(name);
			factory.registerSingleton(name, guarded);
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		ConfigurableListableBeanFactory factory = this.beanFactory;
		return (factory != null) ? guard(bean, beanName, factory) : bean;
	}

	private Object guard(Object bean, String beanName, ConfigurableListableBeanFactory factory) {
		return PlainCollections.replace(bean,
				(one) -> isUnguardedGiver(one) && this.proof.given().mayGive(one, beanName, factory),
				(one) -> new GiverGuard(new GivenAdvice(beanName, factory)).postProcessAfterInitialization(one,
						beanName));
	}

	/** The guard of one bean that gives others. */
	private static final class GiverGuard extends BeanGuard {

		private static final List<String> METHODS = List.of("get", "getObject", "call", "apply");

		GiverGuard(GivenAdvice advice) {
			super(new DefaultPointcutAdvisor(advice));
		}

		@Override
		protected boolean isEligible(Class<?> targetClass) {
			return true;
		}

		@Override
		protected boolean mustBeGuarded(Method method) {
			return METHODS.contains(method.getName());
		}

	}

	/** Leads what a bean gives through the guards. */
	private static final class GivenAdvice implements MethodInterceptor {

		private final String beanName;

		private final ConfigurableListableBeanFactory factory;

		private volatile @Nullable Given last;

		GivenAdvice(String beanName, ConfigurableListableBeanFactory factory) {
			this.beanName = beanName;
			this.factory = factory;
		}

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			Method method = invocation.getMethod();
			Object target = Objects.requireNonNull(invocation.getThis());
			if (isOfGiver(method) && ClassUtils.getMostSpecificMethod(method, target.getClass()).equals(method)) {
				return runDefault(method, (ProxyMethodInvocation) invocation);
			}
			@Nullable Object[] arguments = invocation.getArguments();
			for (int i = 0; i < arguments.length; i++) {
				if (arguments[i] instanceof Consumer<?> consumer && method.getParameterTypes()[i] == Consumer.class) {
					arguments[i] = behind(consumer);
				}
			}
			return guard(invocation.proceed());
		}

		private static boolean isOfGiver(Method method) {
			String type = method.getDeclaringClass().getName();
			return method.isDefault() && (type.startsWith("java.") || type.startsWith("org.springframework."));
		}

		/**
		 * Run the method of an interface on the guarded bean, so that what others do with
		 * what the bean gives, as {@code Function.andThen} makes them, is guarded, too.
		 */
		private static @Nullable Object runDefault(Method method, ProxyMethodInvocation invocation) throws Throwable {
			Object proxy = invocation.getProxy();
			Class<?> type = method.getDeclaringClass();
			Object guarded = Proxy.newProxyInstance(GivenBeansGuard.class.getClassLoader(), new Class<?>[] { type },
					(self, called, arguments) -> AopUtils.invokeJoinpointUsingReflection(proxy, called,
							(arguments != null) ? arguments : new Object[0]));
			return InvocationHandler.invokeDefault(guarded, method, invocation.getArguments());
		}

		@SuppressWarnings("unchecked")
		private Consumer<@Nullable Object> behind(Consumer<?> consumer) {
			return (given) -> ((Consumer<@Nullable Object>) consumer).accept(guard(given));
		}

		private @Nullable Object guard(@Nullable Object given) {
			if (given instanceof Stream<?> stream) {
				return stream.map(this::guard);
			}
			if (given instanceof Iterator<?> iterator) {
				return new GivenIterator(iterator, this::guard);
			}
			return (given != null) ? guardOne(given) : null;
		}

		/** Guard what was given. Most beans give the same one each time. */
		@SuppressWarnings("ReferenceEquality") // of the very object
		private Object guardOne(Object given) {
			Given last = this.last;
			if (last != null && last.bare() == given) {
				return last.guarded();
			}
			Object guarded = given;
			for (BeanPostProcessor guard : guardsOf((AbstractBeanFactory) this.factory)) {
				Object processed = guard.postProcessAfterInitialization(guarded, this.beanName);
				guarded = (processed != null) ? processed : guarded;
			}
			this.last = new Given(given, guarded);
			return guarded;
		}

	}

	private record Given(Object bare, Object guarded) {
	}

	private record GivenIterator(Iterator<?> iterator,
			UnaryOperator<@Nullable Object> guard) implements Iterator<@Nullable Object> {

		@Override
		public boolean hasNext() {
			return this.iterator.hasNext();
		}

		@Override
		public @Nullable Object next() {
			return this.guard.apply(this.iterator.next());
		}

		@Override
		public void remove() {
			this.iterator.remove();
		}

	}

}
