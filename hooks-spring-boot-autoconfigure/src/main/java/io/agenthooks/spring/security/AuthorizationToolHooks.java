package io.agenthooks.spring.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.security.authorization.AuthorizationManager;

import io.agenthooks.spring.assembly.ToolHookSource;
import io.agenthooks.toolcall.ToolCall;

final class AuthorizationToolHooks implements ToolHookSource {

	private static final Logger logger = LoggerFactory.getLogger(AuthorizationToolHooks.class);

	private static final ResolvableType MANAGER = ResolvableType.forClassWithGenerics(AuthorizationManager.class,
			ToolCall.class);

	private final ConfigurableListableBeanFactory beanFactory;

	AuthorizationToolHooks(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public List<Found> find() {
		List<Found> hooks = new ArrayList<>();
		Set<String> ours = Set.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, MANAGER));
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory,
				AuthorizationManager.class)) {
			if (ScopedProxyUtils.isScopedTarget(name)) {
				continue;
			}
			if (ours.contains(name)) {
				hooks.add(found(name));
			}
			else if (isOfUnknownType(name)) {
				logger.warn("The bean '{}' is an AuthorizationManager, but does not say of what, so it is not asked "
						+ "about calls of tools. If it is to be, declare it as an AuthorizationManager<ToolCall>",
						name);
			}
		}
		return hooks;
	}

	@SuppressWarnings("unchecked") // by the type of the bean
	private Found found(String name) {
		AuthorizationManager<ToolCall> manager = this.beanFactory.getBean(name, AuthorizationManager.class);
		return new Found(new AuthorizationToolHook(name, manager), name, "bean '" + name + "'", orderOf(name, manager));
	}

	private int orderOf(String name, AuthorizationManager<ToolCall> manager) {
		if (manager instanceof Ordered ordered) {
			return ordered.getOrder();
		}
		Order order = this.beanFactory.findAnnotationOnBean(name, Order.class);
		return (order != null) ? order.value() : Ordered.LOWEST_PRECEDENCE;
	}

	private boolean isOfUnknownType(String name) {
		if (!this.beanFactory.containsBeanDefinition(name)) {
			return false;
		}
		ResolvableType type = this.beanFactory.getMergedBeanDefinition(name).getResolvableType();
		return type.as(AuthorizationManager.class).getGeneric().resolve() == null;
	}

}
