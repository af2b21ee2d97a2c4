package io.agenthooks.spring.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

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
 */
final class ToolExecutorGuard extends AbstractAdvisingBeanPostProcessor implements PriorityOrdered {

	private static final String EXECUTE = "execute";

	private final SingletonSupplier<ToolHookChain> chain;

	ToolExecutorGuard(ObjectProvider<ToolHookChain> chain) {
		this.chain = SingletonSupplier.of(chain::getObject);
		this.advisor = new GuardAdvisor(this.chain);
		setProxyTargetClass(true);
		setOrder(Ordered.HIGHEST_PRECEDENCE);
	}

	/**
	 * The chain. It is kept once it was asked for, also for a first call that comes when
	 * the application is closed and could only make another one.
	 */
	ToolHookChain chain() {
		return this.chain.obtain();
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
	 */
	static boolean isGuarded(Object executor) {
		if (executor instanceof HookedToolExecutor || executor instanceof AopInfrastructureBean) {
			// A scoped proxy leads to another bean, which is guarded itself.
			return true;
		}
		if (!(executor instanceof Advised advised)) {
			return false;
		}
		if (Stream.of(advised.getAdvisors()).anyMatch(GuardAdvisor.class::isInstance)) {
			return true;
		}
		Object target = AopProxyUtils.getSingletonTarget(executor);
		return target != null && isGuarded(target);
	}

	/**
	 * Leads calls of {@link ToolExecutor#execute} through the chain.
	 */
	private static final class GuardAdvisor extends DefaultPointcutAdvisor {

		GuardAdvisor(Supplier<ToolHookChain> chain) {
			super(executeMethod(), new GuardInterceptor(chain));
		}

		private static NameMatchMethodPointcut executeMethod() {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.setMappedName(EXECUTE);
			pointcut.setClassFilter(ToolExecutor.class::isAssignableFrom);
			return pointcut;
		}

	}

	private record GuardInterceptor(Supplier<ToolHookChain> chain) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			return (isExecute(invocation))
					? this.chain.get().execute(call(invocation), new Tool((ProxyMethodInvocation) invocation))
					: invocation.proceed();
		}

		private static ToolCall call(MethodInvocation invocation) {
			return (ToolCall) Objects.requireNonNull(invocation.getArguments()[0], "'call' must not be null");
		}

		private static boolean isExecute(MethodInvocation invocation) {
			Class<?>[] types = invocation.getMethod().getParameterTypes();
			return types.length == 1 && types[0] == ToolCall.class;
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
