package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Looks, once all beans are there, whether every executor of tools is guarded, and stops
 * the start if one escaped.
 */
final class ToolExecutorGuardVerifier implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ToolExecutorGuardVerifier.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final ToolHookAssembly assembly;

	private final AnnotatedToolHooks methods;

	private final ToolHookChain chain;

	private final ToolHookRegistry registry;

	private final ToolExecutorGuard guard;

	private final List<GuardedType> types;

	ToolExecutorGuardVerifier(ConfigurableListableBeanFactory beanFactory, ToolHookAssembly assembly,
			AnnotatedToolHooks methods, ToolHookChain chain, ToolHookRegistry registry, ToolExecutorGuard guard,
			List<GuardedType> types) {
		this.beanFactory = beanFactory;
		this.assembly = assembly;
		this.methods = methods;
		this.chain = chain;
		this.registry = registry;
		this.guard = guard;
		this.types = types;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.guard.chain();
		boolean assembled = this.assembly.made(this.chain);
		if (assembled) {
			checkBeans(this.assembly.missedBeans());
			this.methods.verify();
			logger.info(this.assembly.describe());
		}
		else {
			checkReplacement();
		}
		if (!this.registry.areToolsEnabled()) {
			logger.warn("hooks.tool_call.tools_enabled is false: every call of a tool is denied");
		}
		List<String> unguarded = new ArrayList<>();
		ConfigurableListableBeanFactory factory = this.beanFactory;
		while (factory != null) {
			findUnguarded(factory, unguarded);
			findGuardedByOthers(factory, unguarded);
			factory = (factory.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) ? parent
					: null;
		}
		if (unguarded.isEmpty()) {
			return;
		}
		if (!assembled || !this.registry.list().isEmpty() || !this.registry.areToolsEnabled()) {
			throw new UnguardedToolExecutorException(unguarded);
		}
		logger.warn(
				"There are no hooks, and none can be registered, nor tools switched off, because executors are not guarded: {}",
				unguarded);
		this.registry.knowUnguarded(unguarded);
	}

	private static void checkBeans(List<String> missed) {
		if (!missed.isEmpty()) {
			throw new IllegalStateException("The hook beans '" + String.join("', '", missed)
					+ "' were not known as hooks when the chain was put together, so they would not be asked. "
					+ "Declare them with a type that is a PreToolHook, ToolResultHook or PostToolHook.");
		}
	}

	private void checkReplacement() {
		if (this.assembly.hasOwnHooks()) {
			throw new IllegalStateException(
					"A ToolHookChain bean of the application replaces the chain of the starter, "
							+ "so the hooks under 'hooks.tool_call' and annotated methods would not be asked. "
							+ "Remove the one or the others.");
		}
		if (!this.assembly.isEmpty()) {
			logger.warn("A ToolHookChain bean of the application replaces the chain of the starter: "
					+ "hook beans are asked only if that chain holds them");
		}
	}

	/**
	 * Calls of the executors of a parent context pass the hooks of that context. If hooks
	 * of this one decide, they would not be asked.
	 */
	private void findGuardedByOthers(ConfigurableListableBeanFactory factory, List<String> unguarded) {
		if (factory.equals(this.beanFactory) || this.types.stream()
			.allMatch((type) -> factory.getBeanNamesForType(type.type(), true, false).length == 0)) {
			return;
		}
		Set<String> theirs = factory.getBeanProvider(ToolHookRegistry.class)
			.stream()
			.flatMap((registry) -> registry.list().stream())
			.filter((hook) -> hook.phase() != ToolHooks.Phase.POST_CALL)
			.map(ToolHooks.Listed::name)
			.collect(Collectors.toSet());
		List<String> notAsked = this.registry.list()
			.stream()
			.filter((hook) -> hook.phase() != ToolHooks.Phase.POST_CALL)
			.map(ToolHooks.Listed::name)
			.filter((name) -> !theirs.contains(name))
			.toList();
		if (!notAsked.isEmpty()) {
			unguarded.add("the executors of the parent context, whose calls pass the hooks of that context and not "
					+ notAsked);
		}
	}

	private void findUnguarded(ConfigurableListableBeanFactory factory, List<String> unguarded) {
		for (GuardedType type : this.types) {
			for (String name : factory.getBeanNamesForType(type.type(), false, false)) {
				if (factory.containsSingleton(name) && !type.isGuarded(factory.getBean(name))) {
					unguarded.add("bean '" + name + "' of type " + factory.getBean(name).getClass().getName());
				}
			}
		}
		for (String name : factory.getBeanDefinitionNames()) {
			Object singleton = (factory.containsSingleton(name)) ? factory.getSingleton(name) : null;
			if (elements(singleton).anyMatch((element) -> this.types.stream()
				.anyMatch((type) -> type.type().isInstance(element) && !type.isGuarded(element)))) {
				unguarded.add("an element of the bean '" + name + "'");
			}
		}
	}

	/**
	 * The elements of a plain collection, copied because others may change it meanwhile.
	 * Any other one may be a view of a remote store, which is not to be loaded.
	 */
	private static Stream<?> elements(@Nullable Object bean) {
		if (bean == null || !bean.getClass().getName().startsWith("java.util.")) {
			return Stream.empty();
		}
		if (bean instanceof Collection<?> collection) {
			return Stream.of(collection.toArray());
		}
		return (bean instanceof Map<?, ?> map) ? Stream.of(map.values().toArray()) : Stream.empty();
	}

}
