package io.agenthooks.spring.autoconfigure;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.spring.ToolHookDecorator;
import io.agenthooks.spring.binding.ConfiguredToolHook;
import io.agenthooks.spring.binding.ToolHookEntry;
import io.agenthooks.spring.binding.ToolHooksReader;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Puts the hooks in order, from beans and from the configuration, each with what its
 * entry wants around it, and makes them a chain.
 */
final class ToolHookAssembly implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ToolHookAssembly.class);

	private static final String BEAN = "bean";

	private final ListableBeanFactory beanFactory;

	private final ToolHooksReader.ToolHooks configured;

	private final List<ToolHookDecorator> decorators;

	private final ExecutorService timeLimited = Executors.newCachedThreadPool(ToolHookAssembly::daemon);

	private final Set<String> beanNames = new HashSet<>();

	private final List<Member<PreToolHook>> preCall = new ArrayList<>();

	private final List<Member<PostToolHook>> postCall = new ArrayList<>();

	private @Nullable ToolHookChain chain;

	ToolHookAssembly(ListableBeanFactory beanFactory, ToolHooksReader.ToolHooks configured,
			List<ToolHookDecorator> decorators) {
		this.beanFactory = beanFactory;
		this.configured = configured;
		this.decorators = decorators;
		try {
			findBeanNames().forEach(this::addBean);
			configured.preCall().forEach(this::addPreCall);
			configured.postCall().forEach(this::addPostCall);
		}
		catch (RuntimeException | Error ex) {
			// Spring destroys only what is complete, and the hooks hold threads.
			destroy();
			throw ex;
		}
		// Stable, so within one order beans come first and the rest as written.
		this.preCall.sort(Comparator.comparingInt(Member::order));
		this.postCall.sort(Comparator.comparingInt(Member::order));
	}

	private Stream<String> findBeanNames() {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, ToolHook.class))
			.filter((beanName) -> !ScopedProxyUtils.isScopedTarget(beanName));
	}

	/**
	 * Add a hook bean. Got one by one, because Spring leaves a bean that is just being
	 * created out of a map of beans: a hook that needs what already calls tools would be
	 * missing from the chain.
	 */
	private void addBean(String beanName) {
		this.beanNames.add(beanName);
		ToolHook hook = this.beanFactory.getBean(beanName, ToolHook.class);
		String name = nameOf(beanName, hook);
		int order = orderOf(beanName, hook);
		String origin = "bean '" + beanName + "'";
		if (hook instanceof PreToolHook preToolHook) {
			this.preCall.add(new Member<>(PreToolHook.named(name, decoratePreCall(name, BEAN, preToolHook)), BEAN,
					order, origin));
		}
		if (hook instanceof PostToolHook postToolHook) {
			this.postCall.add(new Member<>(PostToolHook.named(name, decoratePostCall(name, BEAN, postToolHook)), BEAN,
					order, origin));
		}
	}

	private static String nameOf(String beanName, ToolHook hook) {
		Method name = ReflectionUtils.findMethod(AopUtils.getTargetClass(hook), "name");
		boolean namesItself = name != null && name.getDeclaringClass() != ToolHook.class;
		return (namesItself && !hook.name().equals(ToolHook.UNNAMED)) ? hook.name() : beanName;
	}

	private int orderOf(String beanName, ToolHook hook) {
		if (hook instanceof Ordered ordered) {
			return ordered.getOrder();
		}
		Order order = this.beanFactory.findAnnotationOnBean(beanName, Order.class);
		return (order != null) ? order.value()
				: OrderUtils.getOrder(AopUtils.getTargetClass(hook), Ordered.LOWEST_PRECEDENCE);
	}

	/**
	 * Add a hook of the list {@code pre_call}. From the inside out: what measures the
	 * hook itself, what happens when it fails, whether its decision counts, which tools
	 * it is for.
	 */
	private void addPreCall(ConfiguredToolHook configured) {
		ToolHookEntry entry = configured.entry();
		PreToolHook hook = (PreToolHook) configured.hook();
		if (entry.timeout() != null && !configured.ownTimeout()) {
			hook = new TimeLimitedPreToolHook(configured.name(), hook, entry.timeout(), this.timeLimited);
		}
		hook = PreToolHook.named(configured.name(), decoratePreCall(configured.name(), configured.type(), hook));
		if (Boolean.TRUE.equals(entry.failOpen()) && !configured.ownFailOpen()) {
			hook = PreToolHook.failOpen(hook);
		}
		if (entry.mode() == ToolHookEntry.Mode.OBSERVE) {
			hook = PreToolHook.observeOnly(hook);
		}
		if (configured.isForSomeTools()) {
			hook = PreToolHook.forTools(configured.tools(), hook);
		}
		this.preCall.add(new Member<>(hook, configured.type(), entry.order(), configured.place()));
		if (configured.hook() instanceof PostToolHook) {
			addPostCall(configured);
		}
		if (configured.hook() instanceof PreCallWarnings warnings) {
			warnings.preCallWarnings().forEach((warning) -> logger.warn("{} ({})", warning, configured.place()));
		}
	}

	private void addPostCall(ConfiguredToolHook configured) {
		PostToolHook hook = PostToolHook.named(configured.name(),
				decoratePostCall(configured.name(), configured.type(), (PostToolHook) configured.hook()));
		if (configured.isForSomeTools()) {
			hook = PostToolHook.forTools(configured.tools(), hook);
		}
		this.postCall.add(new Member<>(hook, configured.type(), configured.entry().order(), configured.place()));
	}

	private PreToolHook decoratePreCall(String name, String type, PreToolHook hook) {
		PreToolHook decorated = hook;
		for (ToolHookDecorator decorator : this.decorators) {
			decorated = decorator.decoratePreCall(name, type, decorated);
		}
		return decorated;
	}

	private PostToolHook decoratePostCall(String name, String type, PostToolHook hook) {
		PostToolHook decorated = hook;
		for (ToolHookDecorator decorator : this.decorators) {
			decorated = decorator.decoratePostCall(name, type, decorated);
		}
		return decorated;
	}

	ToolHookChain chain(ToolApprover approver) {
		this.chain = new ToolHookChain(this.preCall.stream().map(Member::hook).toList(),
				this.postCall.stream().map(Member::hook).toList(), approver);
		return this.chain;
	}

	boolean made(ToolHookChain chain) {
		return this.chain == chain;
	}

	/**
	 * The hook beans that did not look like hooks when the chain was put together.
	 */
	List<String> missedBeans() {
		return findBeanNames().filter((beanName) -> !this.beanNames.contains(beanName)).toList();
	}

	boolean isEmpty() {
		return this.preCall.isEmpty() && this.postCall.isEmpty();
	}

	boolean hasConfiguredHooks() {
		return !this.configured.preCall().isEmpty() || !this.configured.postCall().isEmpty();
	}

	/**
	 * The chain as a block of text, hook by hook, for the log.
	 */
	String describe() {
		if (isEmpty()) {
			return "There are no hooks: calls of tools go straight to the tools";
		}
		StringBuilder text = new StringBuilder("Every call of a tool passes these hooks:");
		describe(text, "before the call", this.preCall);
		describe(text, "after the call", this.postCall);
		return text.toString();
	}

	private static void describe(StringBuilder text, String phase, List<? extends Member<?>> members) {
		text.append("%n  %s:".formatted(phase));
		if (members.isEmpty()) {
			text.append(" none");
		}
		for (int i = 0; i < members.size(); i++) {
			Member<?> member = members.get(i);
			text.append("%n    %d. %s (type %s%s, from %s)".formatted(i + 1, member.hook().name(), member.type(),
					(member.order() != Ordered.LOWEST_PRECEDENCE) ? ", order " + member.order() : "", member.origin()));
		}
	}

	@Override
	public void destroy() {
		this.timeLimited.shutdownNow();
		Stream.concat(this.configured.preCall().stream(), this.configured.postCall().stream())
			.map(ConfiguredToolHook::hook)
			.filter(AutoCloseable.class::isInstance)
			.forEach((hook) -> {
				try {
					((AutoCloseable) hook).close();
				}
				catch (Exception ex) {
					logger.warn("The hook '{}' could not be closed: {}", hook.name(), ex.getClass().getName());
				}
			});
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task, "time-limited-tool-hook");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * A hook in its place.
	 *
	 * @param hook the hook with all that is around it
	 * @param type its type
	 * @param order its order
	 * @param origin where it comes from
	 */
	private record Member<H extends ToolHook>(H hook, String type, int order, String origin) {
	}

}
