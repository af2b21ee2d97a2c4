package io.agenthooks.spring.executor;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.chain.Probe;
import io.agenthooks.spring.guard.BeanGuard;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.PlainCollections;
import io.agenthooks.toolcall.HookedToolExecutor;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;

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
public final class ToolExecutorGuard extends BeanGuard {

	private static final ToolExecutor PROBED = (call) -> {
		throw new IllegalStateException("A call that must be denied reached a tool");
	};

	private final SingletonSupplier<ToolHookChain> chain;

	private final transient Evasions evasions = new Evasions();

	public ToolExecutorGuard(ObjectProvider<ToolHookChain> chain) {
		this(SingletonSupplier.of(chain::getObject));
	}

	private ToolExecutorGuard(SingletonSupplier<ToolHookChain> chain) {
		super(ExecutorInterceptor.advisor(chain));
		this.chain = chain;
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
	 * Guard an executor, or those in a collection, and keep in mind which of its methods
	 * may call it from inside: the guard is in front of the object and does not see that.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ToolExecutor) {
			return guard(bean, beanName);
		}
		return PlainCollections.replace(bean, this::isToBeGuarded, (element) -> guard(element, beanName));
	}

	private boolean isToBeGuarded(Object element) {
		return element instanceof ToolExecutor && this.advisor != null
				&& !isAdvised(element, this.advisor.getAdvice()::equals);
	}

	private Object guard(Object bean, String beanName) {
		Class<?> type = AopUtils.getTargetClass(bean);
		this.evasions.found("bean '" + beanName + "' of type " + type.getName(),
				FurtherMethods.of(type, !isExtensible(type)));
		return super.postProcessAfterInitialization(bean, beanName);
	}

	/**
	 * Report methods that may run tools past the guard, those that were found and those
	 * that will be.
	 * @param listener gets each of them, in words
	 */
	public void reportEvasions(Consumer<String> listener) {
		this.evasions.report(listener);
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return ToolExecutor.class.isAssignableFrom(targetClass);
	}

	/** The guard of another context asks other hooks. */
	@Override
	protected boolean isOwn(Advice advice) {
		return false;
	}

	@Override
	protected boolean mustBeGuarded(Method method) {
		return ExecutorInterceptor.makesCalls(method);
	}

	/**
	 * Whether calls of an executor pass a chain.
	 * @param executor the executor
	 * @return whether they do
	 */
	public static boolean isGuarded(Object executor) {
		return isAdvised(executor, ExecutorInterceptor.class::isInstance) || hooked(executor) != null;
	}

	/** It may be behind aspects of the application. */
	private static @Nullable HookedToolExecutor hooked(Object executor) {
		Object target = AopProxyUtils.getSingletonTarget(executor);
		return (executor instanceof HookedToolExecutor hooked) ? hooked : (target != null) ? hooked(target) : null;
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
		ToolCall probe = ToolCall.of("agent-hooks-probe", Map.of());
		HookedToolExecutor hooked = hooked(executor);
		boolean proved = isProved(executor, chain, ExecutorInterceptor.class::isInstance,
				ExecutorInterceptor::makesCalls, (method) -> new Object[] { probe })
				|| (hooked != null
						&& Probe.isDenied(chain, () -> new HookedToolExecutor(PROBED, hooked.hooks()).execute(probe)));
		return (proved) ? 1 : GuardedType.Proof.FAILED;
	}

	private static final class Evasions {

		private final Set<String> waiting = new LinkedHashSet<>();

		private @Nullable Consumer<String> listener;

		synchronized void found(String bean, Set<String> methods) {
			methods.forEach((method) -> report(bean + ": its method " + method + " takes a call or returns a result"));
		}

		private void report(String evasion) {
			if (this.listener != null) {
				this.listener.accept(evasion);
			}
			else {
				this.waiting.add(evasion);
			}
		}

		synchronized void report(Consumer<String> listener) {
			this.listener = listener;
			this.waiting.forEach(listener);
			this.waiting.clear();
		}

	}

	/**
	 * The proxy of an executor whose class is not known at build time, such as a lambda.
	 */
	public static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.proxies().registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(ToolExecutor.class));
		}

	}

}
