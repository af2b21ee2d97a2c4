package io.agenthooks.spring.executor;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.util.ClassUtils;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/** Also of calls that a method with a body in an interface makes of its own executor. */
record ExecutorInterceptor(Supplier<ToolHookChain> chain) implements MethodInterceptor {

	private static final String EXECUTE = "execute";

	static Advisor advisor(Supplier<ToolHookChain> chain) {
		return new DefaultPointcutAdvisor(new GuardedMethods(), new ExecutorInterceptor(chain));
	}

	static boolean makesCalls(Method method) {
		return method.getName().equals(EXECUTE) && method.getParameterCount() == 1
				&& method.getParameterTypes()[0].isAssignableFrom(ToolCall.class);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		ProxyMethodInvocation proxied = (ProxyMethodInvocation) invocation;
		ToolCall call = call(invocation);
		if (call != null) {
			return this.chain.get().execute(call, new Tool(proxied));
		}
		Object target = invocation.getThis();
		Method body = (target != null) ? GuardedMethods.ownDefault(invocation.getMethod(), target.getClass()) : null;
		return (body != null) ? run(body, proxied) : invocation.proceed();
	}

	/**
	 * Generic interfaces have a method that takes anything. Null if it is something else.
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
	 * On the guarded executor instead of the bare one, so that what the method calls is
	 * guarded.
	 */
	private static @Nullable Object run(Method body, ProxyMethodInvocation invocation) throws Throwable {
		Class<?> type = body.getDeclaringClass();
		if (!type.getModule().isOpen(type.getPackageName(), ExecutorInterceptor.class.getModule())) {
			return runAs(type, body, invocation);
		}
		return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
			.unreflectSpecial(body, type)
			.bindTo(invocation.getProxy())
			.invokeWithArguments(invocation.getArguments());
	}

	/**
	 * Such a method, as of a function of Java, cannot be bound to an object: another one
	 * leads to the executor.
	 */
	private static @Nullable Object runAs(Class<?> type, Method body, ProxyMethodInvocation invocation)
			throws Throwable {
		Object executor = invocation.getProxy();
		ClassLoader own = type.getClassLoader();
		Object guarded = Proxy.newProxyInstance((own != null) ? own : ExecutorInterceptor.class.getClassLoader(),
				new Class<?>[] { type },
				(proxy, method, arguments) -> AopUtils.invokeJoinpointUsingReflection(executor, method, arguments));
		return InvocationHandler.invokeDefault(guarded, body, invocation.getArguments());
	}

	private static final class GuardedMethods extends StaticMethodMatcherPointcut {

		GuardedMethods() {
			setClassFilter(ToolExecutor.class::isAssignableFrom);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return method.getName().equals(EXECUTE) || ownDefault(method, targetClass) != null;
		}

		/**
		 * Such a body can run with the guarded executor as its {@code this}, because an
		 * interface has no fields. Null if the class has a method of its own, or it is
		 * one of {@link ToolExecutor}, which calls nothing.
		 */
		static @Nullable Method ownDefault(Method method, Class<?> targetClass) {
			Method specific = ClassUtils.getMostSpecificMethod(method, targetClass);
			return (specific.isDefault() && specific.getDeclaringClass() != ToolExecutor.class) ? specific : null;
		}

	}

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
		public @Nullable String failureText(Throwable failure) {
			ToolExecutor bean = (ToolExecutor) this.invocation.getThis();
			return (bean != null) ? bean.failureText(failure) : null;
		}

		@Override
		public @Nullable String denialText(Throwable failure) {
			ToolExecutor bean = (ToolExecutor) this.invocation.getThis();
			return (bean != null) ? bean.denialText(failure) : null;
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			ToolExecutor bean = (ToolExecutor) this.invocation.getThis();
			return (bean != null) ? bean.objection(call) : null;
		}

		/** The same bean is the same tool, whoever calls it. */
		@Override
		@SuppressWarnings("ReferenceEquality") // of the very bean
		public boolean equals(@Nullable Object other) {
			return other instanceof Tool tool && tool.invocation.getThis() == this.invocation.getThis();
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this.invocation.getThis());
		}

	}

}
