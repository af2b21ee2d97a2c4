package io.agenthooks.spring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.binding.BeanConfig;
import io.agenthooks.toolcall.ToolHook;

/**
 * Finds the hook beans that entries of the type {@code bean} put into a list.
 */
final class BeanToolHookFactory implements ToolHookFactory<BeanConfig> {

	private final ListableBeanFactory beanFactory;

	BeanToolHookFactory(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public String type() {
		return "bean";
	}

	@Override
	public Class<BeanConfig> configType() {
		return BeanConfig.class;
	}

	@Override
	public ToolHook create(String name, BeanConfig config) {
		List<String> candidates = Stream
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, ToolHook.class))
			.filter((candidate) -> !ScopedProxyUtils.isScopedTarget(candidate))
			.sorted()
			.toList();
		String mend = (candidates.isEmpty()) ? "There are no hook beans." : "The hook beans are " + candidates + ".";
		if (config.bean() == null || config.bean().isBlank()) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of("bean"), "is missing", "Name a bean. " + mend)));
		}
		if (!candidates.contains(config.bean())) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("bean"), "names no hook bean", mend)));
		}
		return this.beanFactory.getBean(config.bean(), ToolHook.class);
	}

}
