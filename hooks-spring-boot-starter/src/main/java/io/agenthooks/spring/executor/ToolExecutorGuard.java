package io.agenthooks.spring.executor;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.DefaultAdvisorChainFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.chain.Probe;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.toolcall.HookedToolExecutor;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * Puts the chain in front of every {@link ToolExecutor} bean, as close to the tool as
 * Spring allows: nothing comes between the decision and the tool.
 * <p>
 * The chain is found at the first call, so nothing that the hooks need is made too early;
 * and this post-processor is among the first, so that executors which other
 * post-processors need are guarded too. Every executor is guarded, also if there is no
 * hook yet: one may be registered later, and tools may be switched off.
 *
 * @since 0.1.0
 */
public final class ToolExecutorGuard extends AbstractAdvisingBeanPostProcessor implements PriorityOrdered {

	private static final String EXECUTE = "execute";

	/** What must not be reached. */
	private static final ToolExecutor PROBED = (call) -> {
		throw new IllegalStateException("A call that must be denied reached a tool");
	};

	private final SingletonSupplier<ToolHookChain> chain;

	private final transient Evasions evasions = new Evasions();

	public ToolExecutorGuard(ObjectProvider<ToolHookChain> chain) {
		this.chain = SingletonSupplier.of(chain::getObject);
		this.advisor = new GuardAdvisor(this.chain);
		setProxyTargetClass(true);
		// After the spies of tests, which are known as such only behind a proxy.
		setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
	}

	/**
	 * The chain. It is kept once it was asked for, also for a first call that comes when
	 * the application is closed and could only make another one.
	 * @return the chain
	 */
	public ToolHookChain chain() {
		return this.chain.obtain();
	}

	/**
	 * Guard an executor, and keep in mind which of its methods call it from inside: the
	 * guard is in front of the object and does not see that.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ToolExecutor) {
			Class<?> type = AopUtils.getTargetClass(bean);
			this.evasions.found("bean '" + beanName + "' of type " + type.getName(),
					SelfCalls.of(type, !isExtensible(type)));
		}
		return super.postProcessAfterInitialization(bean, beanName);
	}

	/**
	 * Let somebody know of methods that run tools past the guard, those that were found
	 * and those that will be.
	 * @param listener gets each of them, in words
	 */
	public void tellOfEvasions(Consumer<String> listener) {
		this.evasions.tell(listener);
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return ToolExecutor.class.isAssignableFrom(targetClass);
	}

	/**
	 * A class that cannot be extended, or whose method cannot be overridden, is proxied
	 * by its interfaces.
	 */
	@Override
	protected void customizeProxyFactory(ProxyFactory proxyFactory) {
		Class<?> targetClass = proxyFactory.getTargetClass();
		if (targetClass != null && !isExtensible(targetClass)) {
			proxyFactory.setProxyTargetClass(false);
			evaluateProxyInterfaces(targetClass, proxyFactory);
		}
	}

	private static boolean isExtensible(Class<?> type) {
		Method execute = ReflectionUtils.findMethod(type, EXECUTE, ToolCall.class);
		return !type.isSealed() && !Modifier.isFinal(type.getModifiers()) && execute != null
				&& !Modifier.isFinal(execute.getModifiers());
	}

	/**
	 * Whether calls of an executor pass a chain.
	 * @param executor the executor
	 * @return whether they do
	 */
	public static boolean isGuarded(Object executor) {
		return guarded(executor) != null;
	}

	/**
	 * What calls of an executor pass: it itself, or what is behind aspects of the
	 * application. {@code null} if there is no guard.
	 */
	private static @Nullable Object guarded(Object executor) {
		if (executor instanceof HookedToolExecutor) {
			return executor;
		}
		if (!(executor instanceof Advised advised)) {
			return null;
		}
		if (Stream.of(advised.getAdvisors()).anyMatch(GuardAdvisor.class::isInstance)) {
			return executor;
		}
		Object target = AopProxyUtils.getSingletonTarget(executor);
		return (target != null) ? guarded(target) : null;
	}

	/**
	 * See whether the guard of an executor asks a chain, by a call that it has to deny.
	 * The call enters at the guard, so no aspect of the application counts or logs it;
	 * and behind the guard there is nothing, so the tool cannot run whatever is wrong.
	 * @param executor the executor
	 * @param chain the chain
	 * @return one way that is proved, or {@link GuardedType.Proof#FAILED}
	 */
	public static int prove(Object executor, ToolHookChain chain) {
		Object guarded = guarded(executor);
		if (guarded instanceof HookedToolExecutor hooked) {
			return (Probe.isDenied(chain, () -> new HookedToolExecutor(PROBED, hooked.hooks()).execute(probe()))) ? 1
					: GuardedType.Proof.FAILED;
		}
		return (guarded != null && entries(guarded)
			.allMatch((entry) -> isIntercepted(entry, guarded) && isDenied(entry, guarded, chain))) ? 1
					: GuardedType.Proof.FAILED;
	}

	private static ToolCall probe() {
		return ToolCall.of("agent-hooks-probe", Map.of());
	}

	/**
	 * The methods by which others can make a call of the proxied executor: that of our
	 * interface, that of the class, and what a generic interface makes of it.
	 */
	private static Stream<Method> entries(Object guarded) {
		return Stream
			.concat(Stream.of(guarded.getClass().getMethods()),
					ClassUtils.getAllInterfacesAsSet(guarded).stream().flatMap((type) -> Stream.of(type.getMethods())))
			.filter((method) -> method.getName().equals(EXECUTE) && method.getParameterCount() == 1
					&& method.getParameterTypes()[0].isAssignableFrom(ToolCall.class) && !method.isBridge()
					&& !Modifier.isStatic(method.getModifiers()));
	}

	private static boolean isIntercepted(Method entry, Object guarded) {
		return entry.getDeclaringClass().isInterface() || entry.getDeclaringClass() == guarded.getClass();
	}

	private static boolean isDenied(Method entry, Object guarded, ToolHookChain chain) {
		Advised advised = (Advised) guarded;
		Class<?> type = Objects.requireNonNullElse(advised.getTargetClass(), ToolExecutor.class);
		List<Object> guards = DefaultAdvisorChainFactory.INSTANCE
			.getInterceptorsAndDynamicInterceptionAdvice(advised, entry, type)
			.stream()
			.filter(GuardInterceptor.class::isInstance)
			.toList();
		return guards.stream()
			.anyMatch((guard) -> Probe.isDenied(chain,
					() -> new ProbeInvocation(guarded, entry, type, List.of(guard)).proceed()));
	}

	/**
	 * Methods that run tools past the guard.
	 */
	private static final class Evasions {

		private final Set<String> waiting = new LinkedHashSet<>();

		private @Nullable Consumer<String> listener;

		synchronized void found(String bean, Set<String> methods) {
			methods.forEach((method) -> tell(bean + ": its method " + method + " calls 'execute' itself"));
		}

		private void tell(String evasion) {
			if (this.listener != null) {
				this.listener.accept(evasion);
			}
			else {
				this.waiting.add(evasion);
			}
		}

		synchronized void tell(Consumer<String> listener) {
			this.listener = listener;
			this.waiting.forEach(listener);
			this.waiting.clear();
		}

	}

	/**
	 * A call of a proxy that meets only the guard, and an executor of ours behind it.
	 */
	private static final class ProbeInvocation extends ReflectiveMethodInvocation {

		ProbeInvocation(Object proxy, Method method, Class<?> type, List<Object> guards) {
			super(proxy, PROBED, method, new Object[] { probe() }, type, guards);
		}

		@Override
		public @Nullable Object proceed() {
			try {
				return super.proceed();
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
			return PROBED.execute((ToolCall) Objects.requireNonNull(getArguments()[0]));
		}

	}

	/**
	 * Leads calls of {@link ToolExecutor#execute} through the chain, also those that a
	 * method with a body in an interface makes of its own executor.
	 */
	private static final class GuardAdvisor extends DefaultPointcutAdvisor {

		GuardAdvisor(Supplier<ToolHookChain> chain) {
			super(new GuardedMethods(), new GuardInterceptor(chain));
		}

	}

	/**
	 * The methods that the guard has to see.
	 */
	private static final class GuardedMethods extends StaticMethodMatcherPointcut {

		GuardedMethods() {
			setClassFilter(ToolExecutor.class::isAssignableFrom);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return method.getName().equals(EXECUTE) || ownDefault(method, targetClass) != null;
		}

		/**
		 * The body that a method has only in an interface. It can run with the guarded
		 * executor as its {@code this}, because an interface has no fields.
		 * @return {@code null} if the class has a method of its own, or it is one of
		 * {@link ToolExecutor}, which calls nothing
		 */
		static @Nullable Method ownDefault(Method method, Class<?> targetClass) {
			Method specific = ClassUtils.getMostSpecificMethod(method, targetClass);
			return (specific.isDefault() && specific.getDeclaringClass() != ToolExecutor.class) ? specific : null;
		}

	}

	private record GuardInterceptor(Supplier<ToolHookChain> chain) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
			ToolCall call = call(invocation);
			if (call != null) {
				return this.chain.get().execute(call, new Tool(proxied));
			}
			Object target = invocation.getThis();
			Method body = (target != null) ? GuardedMethods.ownDefault(invocation.getMethod(), target.getClass())
					: null;
			return (body != null) ? run(body, proxied) : invocation.proceed();
		}

		/**
		 * The call that an invocation is, by whichever method: generic interfaces have
		 * one that takes anything.
		 * @return {@code null} if it is something else
		 */
		private static @Nullable ToolCall call(MethodInvocation invocation) {
			@Nullable Object[] arguments = invocation.getArguments();
			if (arguments.length != 1 || !invocation.getMethod().getName().equals(EXECUTE)) {
				return null;
			}
			if (invocation.getMethod().getParameterTypes()[0] == ToolCall.class) {
				Objects.requireNonNull(arguments[0], "'call' must not be null");
			}
			return (arguments[0] instanceof ToolCall call) ? call : null;
		}

		/**
		 * Run the method of an interface on the guarded executor instead of the bare one,
		 * so that what it calls is guarded.
		 */
		private static @Nullable Object run(Method body, ProxyMethodInvocation invocation) throws Throwable {
			Class<?> type = body.getDeclaringClass();
			if (!type.getModule().isOpen(type.getPackageName(), ToolExecutorGuard.class.getModule())) {
				return runAs(type, body, invocation);
			}
			return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
				.unreflectSpecial(body, type)
				.bindTo(invocation.getProxy())
				.invokeWithArguments(invocation.getArguments());
		}

		/**
		 * Nobody may bind a method of a closed module, such as that of a function of
		 * Java, to an object: run it on another one that leads to the guarded executor.
		 */
		private static @Nullable Object runAs(Class<?> type, Method body, ProxyMethodInvocation invocation)
				throws Throwable {
			Object executor = invocation.getProxy();
			ClassLoader own = type.getClassLoader();
			Object guarded = Proxy.newProxyInstance((own != null) ? own : ToolExecutorGuard.class.getClassLoader(),
					new Class<?>[] { type },
					(proxy, method, arguments) -> AopUtils.invokeJoinpointUsingReflection(executor, method, arguments));
			return InvocationHandler.invokeDefault(guarded, body, invocation.getArguments());
		}

	}

	/**
	 * What the bean does without its guard.
	 */
	private record Tool(ProxyMethodInvocation invocation) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			try {
				this.invocation.setArguments(call);
				Object result = this.invocation.proceed();
				return (result != null) ? (ToolResult) result : ToolResult.failure("The tool returned nothing");
			}
			catch (RuntimeException | Error ex) {
				throw ex;
			}
			catch (Throwable ex) {
				throw new UndeclaredThrowableException(ex);
			}
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			ToolExecutor bean = (ToolExecutor) this.invocation.getThis();
			return (bean != null) ? bean.objection(call) : null;
		}

	}

}
