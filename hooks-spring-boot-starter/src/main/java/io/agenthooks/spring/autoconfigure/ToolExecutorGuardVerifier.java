package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Looks, once all beans are there, whether every executor of tools is guarded, and stops
 * the start if one escaped.
 */
final class ToolExecutorGuardVerifier implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ToolExecutorGuardVerifier.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final ToolHookAssembly assembly;

	private final ToolHookChain chain;

	ToolExecutorGuardVerifier(ConfigurableListableBeanFactory beanFactory, ToolHookAssembly assembly,
			ToolHookChain chain) {
		this.beanFactory = beanFactory;
		this.assembly = assembly;
		this.chain = chain;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.assembly.made(this.chain)) {
			logger.info(this.assembly.describe());
		}
		else if (this.assembly.hasConfiguredHooks()) {
			throw new IllegalStateException(
					"A ToolHookChain bean of the application replaces the chain of the starter, "
							+ "so the hooks under 'hooks.tool_call' would not be asked. Remove the one or the other.");
		}
		if (this.assembly.made(this.chain) && this.assembly.isEmpty()) {
			return;
		}
		List<String> unguarded = new ArrayList<>();
		ConfigurableListableBeanFactory factory = this.beanFactory;
		while (factory != null) {
			findUnguarded(factory, unguarded);
			factory = (factory.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) ? parent
					: null;
		}
		if (!unguarded.isEmpty()) {
			throw new UnguardedToolExecutorException(unguarded);
		}
	}

	private static void findUnguarded(ConfigurableListableBeanFactory factory, List<String> unguarded) {
		for (String name : factory.getBeanNamesForType(ToolExecutor.class, false, false)) {
			if (factory.containsSingleton(name) && !ToolExecutorGuard.isGuarded(factory.getBean(name))) {
				unguarded.add("bean '" + name + "' of type " + factory.getBean(name).getClass().getName());
			}
		}
		for (String name : factory.getBeanDefinitionNames()) {
			Object singleton = (factory.containsSingleton(name)) ? factory.getSingleton(name) : null;
			if (elements(singleton)
				.anyMatch((element) -> element instanceof ToolExecutor && !ToolExecutorGuard.isGuarded(element))) {
				unguarded.add("an element of the bean '" + name + "'");
			}
		}
	}

	private static Stream<?> elements(@Nullable Object bean) {
		if (bean instanceof Collection<?> collection) {
			return collection.stream();
		}
		return (bean instanceof Map<?, ?> map) ? map.values().stream() : Stream.empty();
	}

}
