package io.agenthooks.spring.autoconfigure;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

import io.agenthooks.Hook;
import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.spring.ToolHookDecorator;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.AnnotatedToolHook;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.ConfiguredToolHook;
import io.agenthooks.spring.binding.ToolHooksReader;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCallListener;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Collects the hooks of the application, its beans and what its configuration lists, and
 * makes them a chain.
 */
final class ToolHookAssembly implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ToolHookAssembly.class);

	private static final String BEAN = "bean";

	private static final String METHOD = "method";

	private final ListableBeanFactory beanFactory;

	private final AnnotatedToolHooks methods;

	private final ToolHooksReader.ConfiguredToolHooks configured;

	private final ToolHookFitting fitting;

	private final Set<String> beanNames = new HashSet<>();

	/** Where the names come from that beans and methods have. */
	private final Map<String, String> takenNames = new HashMap<>();

	private final List<String> sharedNames = new ArrayList<>();

	private final List<ToolHookFitting.Fitted> collected = new ArrayList<>();

	private final FittedToolHooks hooks;

	private @Nullable ToolHookChain chain;

	ToolHookAssembly(ListableBeanFactory beanFactory, AnnotatedToolHooks methods,
			ToolHooksReader.ConfiguredToolHooks configured, List<ToolHookDecorator> decorators) {
		this.beanFactory = beanFactory;
		this.methods = methods;
		this.configured = configured;
		this.fitting = new ToolHookFitting(decorators);
		try {
			findBeanNames().forEach(this::addBean);
			addMethods(methods.hooks());
			configured.preCall().forEach(this::addPreCall);
			configured.postCall().forEach(this::addPostCall);
			if (!this.sharedNames.isEmpty()) {
				throw new IllegalStateException(String.join(" ", this.sharedNames));
			}
		}
		catch (RuntimeException | Error ex) {
			// Spring destroys only what is complete, and the hooks hold threads.
			destroy();
			throw ex;
		}
		this.hooks = new FittedToolHooks(this.collected);
	}

	private Stream<String> findBeanNames() {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, ToolHook.class))
			.filter((beanName) -> !ScopedProxyUtils.isScopedTarget(beanName));
	}

	/**
	 * Add a hook bean, unless an entry of the configuration puts it elsewhere. Got one by
	 * one, because Spring leaves a bean that is just being created out of a map of beans:
	 * a hook that needs what already calls tools would be missing from the chain.
	 */
	private void addBean(String beanName) {
		this.beanNames.add(beanName);
		if (!this.configured.placedBeans().contains(beanName)) {
			ToolHook hook = this.beanFactory.getBean(beanName, ToolHook.class);
			ToolHookOptions options = ToolHookOptions.defaults().order(orderOf(beanName, hook));
			ToolHookFitting.Candidate candidate = new ToolHookFitting.Candidate(hook, nameOf(beanName, hook), BEAN,
					"bean '" + beanName + "'", options, false, false);
			add(candidate, EnumSet.allOf(ToolHooks.Phase.class));
			takeName(candidate);
		}
	}

	private static String nameOf(String beanName, ToolHook hook) {
		Method name = ReflectionUtils.findMethod(AopUtils.getTargetClass(hook), "name");
		boolean namesItself = name != null && name.getDeclaringClass() != Hook.class;
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
	 * Add the methods. Whether they share a name among themselves has been looked at
	 * where they were read; so it is with the entries.
	 */
	private void addMethods(List<AnnotatedToolHook> methods) {
		List<ToolHookFitting.Candidate> candidates = methods.stream()
			.map((method) -> new ToolHookFitting.Candidate(method.hook(), method.name(), METHOD, method.origin(),
					method.options(), false, method.ownTimeout()))
			.toList();
		candidates.forEach((candidate) -> add(candidate, EnumSet.allOf(ToolHooks.Phase.class)));
		candidates.forEach(this::takeName);
	}

	private void addPreCall(ConfiguredToolHook configured) {
		add(candidate(configured), EnumSet.allOf(ToolHooks.Phase.class));
		if (configured.hook() instanceof PreCallWarnings warnings) {
			warnings.preCallWarnings(configured.options())
				.forEach((warning) -> logger.warn("{} ({})", warning, configured.place()));
		}
	}

	private void addPostCall(ConfiguredToolHook configured) {
		add(candidate(configured), EnumSet.of(ToolHooks.Phase.RESULT, ToolHooks.Phase.POST_CALL));
	}

	private static ToolHookFitting.Candidate candidate(ConfiguredToolHook configured) {
		return new ToolHookFitting.Candidate(configured.hook(), configured.name(), configured.type(),
				configured.place(), configured.options(), configured.ownFailOpen(), configured.ownTimeout());
	}

	private void add(ToolHookFitting.Candidate candidate, Set<ToolHooks.Phase> phases) {
		String other = this.takenNames.get(candidate.name());
		if (other != null) {
			this.sharedNames.add("The hook '%s' of %s has the same name as the hook of the %s. Give it another."
				.formatted(candidate.name(), candidate.origin(), other));
		}
		this.collected.addAll(this.fitting.fit(candidate, phases));
	}

	private void takeName(ToolHookFitting.Candidate candidate) {
		this.takenNames.putIfAbsent(candidate.name(), candidate.origin());
	}

	ToolHookChain chain(ToolApprover approver, ToolCallListener listener) {
		ToolHookChain chain = this.hooks.toChain(approver, listener);
		chain.setToolsEnabled(this.configured.toolsEnabled());
		this.chain = chain;
		return chain;
	}

	boolean made(ToolHookChain chain) {
		return this.chain == chain;
	}

	/**
	 * What adds hooks to a chain. To one that is not of this assembly none can be added,
	 * nor is it known which it has.
	 */
	ToolHookRegistry registry(ToolHookChain chain) {
		if (made(chain)) {
			return new ToolHookRegistry(this.fitting, this.hooks, chain);
		}
		chain.setToolsEnabled(this.configured.toolsEnabled() && chain.isToolsEnabled());
		ToolHookRegistry registry = new ToolHookRegistry(this.fitting, new FittedToolHooks(List.of()), chain);
		registry.refuseHooks("a ToolHookChain bean of the application is in the place of the starter's");
		return registry;
	}

	/**
	 * The hook beans that did not look like hooks when the chain was put together.
	 */
	List<String> missedBeans() {
		return findBeanNames().filter((beanName) -> !this.beanNames.contains(beanName)).toList();
	}

	boolean isEmpty() {
		return this.hooks.isEmpty();
	}

	/**
	 * Whether there are hooks that no other chain can hold, unlike beans.
	 */
	boolean hasOwnHooks() {
		return !this.methods.hooks().isEmpty() || !this.configured.preCall().isEmpty()
				|| !this.configured.postCall().isEmpty();
	}

	/**
	 * The chain as a block of text, hook by hook, for the log.
	 */
	String describe() {
		return this.hooks.describe();
	}

	@Override
	public void destroy() {
		this.fitting.close();
		Stream.concat(this.configured.preCall().stream(), this.configured.postCall().stream())
			.filter((configured) -> !configured.type().equals(BEAN))
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

}
