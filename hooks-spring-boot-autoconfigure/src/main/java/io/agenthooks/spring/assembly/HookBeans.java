package io.agenthooks.spring.assembly;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.BeanConfig;
import io.agenthooks.spring.guard.PlainCollections;

final class HookBeans<H extends Hook> {

	static final String TYPE = "bean";

	private static final Set<String> SHORT_SCOPES = Set.of("request", "session", "websocket");

	private final ListableBeanFactory beanFactory;

	private final Class<H> kind;

	private final Set<String> found = new HashSet<>();

	HookBeans(ListableBeanFactory beanFactory, Class<H> kind) {
		this.beanFactory = beanFactory;
		this.kind = kind;
	}

	/**
	 * The hook beans but those that an entry puts elsewhere. Got one by one, because
	 * Spring leaves a bean that is just being created out of a map of beans: a hook that
	 * needs what already calls tools would be missing.
	 */
	Stream<HookCandidate<H>> find(Set<String> placed) {
		return names().peek(this.found::add).filter((name) -> !placed.contains(name)).map(this::find);
	}

	private HookCandidate<H> find(String beanName) {
		checkScope(beanName);
		H hook = this.beanFactory.getBean(beanName, this.kind);
		return HookCandidate.bean(hook, nameOf(beanName, hook), "bean '" + beanName + "'", orderOf(beanName, hook));
	}

	/** Calls come from other threads than requests, too, and the start is none. */
	private void checkScope(String beanName) {
		if (!(this.beanFactory instanceof ConfigurableListableBeanFactory known)
				|| !known.containsBeanDefinition(beanName)) {
			return;
		}
		BeanDefinition definition = known.getMergedBeanDefinition(beanName);
		String scope = definition.getScope();
		if (scope != null && SHORT_SCOPES.contains(scope)) {
			String place = definition.getResourceDescription();
			throw new InvalidHookBeanException(
					"The hook bean '%s'%s is in the scope '%s', but hooks are asked outside of requests, too."
						.formatted(beanName, (place != null) ? " (" + place + ")" : "", scope),
					"Remove the scope, and let the hook take what it needs of a request by an ObjectProvider, or declare "
							+ "the scope with proxyMode = ScopedProxyMode.TARGET_CLASS.");
		}
	}

	private static String nameOf(String beanName, Hook hook) {
		Method name = ClassUtils.getMethodIfAvailable(AopUtils.getTargetClass(hook), "name");
		boolean namesItself = name != null && name.getDeclaringClass() != Hook.class;
		return (namesItself && !hook.name().equals(Hook.UNNAMED)) ? hook.name() : beanName;
	}

	private int orderOf(String beanName, H hook) {
		if (hook instanceof Ordered ordered) {
			return ordered.getOrder();
		}
		Order order = this.beanFactory.findAnnotationOnBean(beanName, Order.class);
		return (order != null) ? order.value()
				: OrderUtils.getOrder(AopUtils.getTargetClass(hook), Ordered.LOWEST_PRECEDENCE);
	}

	private Stream<String> names() {
		return names(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, this.kind));
	}

	private static Stream<String> names(String[] names) {
		return Stream.of(names).filter((name) -> !ScopedProxyUtils.isScopedTarget(name));
	}

	/** The beans that did not look like hooks at first, each with its place. */
	List<String> missed() {
		return Stream.concat(names(), products())
			.filter((name) -> !this.found.contains(name))
			.distinct()
			.map(this::describe)
			.toList();
	}

	/** The beans of this kind whose factories do not say so before they have made one. */
	private Stream<String> products() {
		return factories().flatMap((factory) -> Stream.of(factory.getSingletonNames())
			.filter((name) -> factory.getSingleton(name) instanceof FactoryBean<?> producer && produces(producer)));
	}

	private Stream<ConfigurableListableBeanFactory> factories() {
		List<ConfigurableListableBeanFactory> factories = new ArrayList<>();
		BeanFactory factory = this.beanFactory;
		while (factory instanceof ConfigurableListableBeanFactory known) {
			factories.add(known);
			factory = known.getParentBeanFactory();
		}
		return factories.stream();
	}

	private boolean produces(FactoryBean<?> factory) {
		return this.kind.isAssignableFrom(ResolvableType.forClass(AopUtils.getTargetClass(factory))
			.as(FactoryBean.class)
			.getGeneric()
			.resolve(Object.class));
	}

	/** The beans that hold hooks in a collection, where Spring does not look. */
	List<String> hidden() {
		return factories().flatMap(this::hiddenIn).toList();
	}

	private Stream<String> hiddenIn(ConfigurableListableBeanFactory factory) {
		return Stream.of(factory.getSingletonNames())
			.filter((name) -> hides(factory.getSingleton(name)))
			.map((name) -> describe(factory, name));
	}

	private boolean hides(@Nullable Object bean) {
		return PlainCollections.elements(bean).anyMatch((element) -> this.kind.isInstance(element) && !isBean(element));
	}

	/** Whether a bean that was made after the start is, or holds, an unknown hook. */
	boolean isMissed(String name, Object bean) {
		return !ScopedProxyUtils.isScopedTarget(name) && !this.found.contains(name)
				&& (this.kind.isInstance(bean) || hides(bean));
	}

	/** The same bean, by name and place, may be in both contexts. */
	List<String> missedIn(ConfigurableListableBeanFactory child) {
		Stream<String> beans = names(child.getBeanNamesForType(this.kind))
			.filter((name) -> !this.found.contains(name) || !describe(child, name).equals(describe(name)))
			.map((name) -> describe(child, name));
		return Stream.concat(beans, hiddenIn(child)).distinct().toList();
	}

	/** Whether a hook is a bean that was found, or of one that is made anew each time. */
	@SuppressWarnings("ReferenceEquality") // that one bean, and no other like it
	private boolean isBean(Object hook) {
		return this.found.stream()
			.anyMatch((name) -> (this.beanFactory.isSingleton(name)) ? this.beanFactory.getBean(name) == hook
					: hook.getClass().equals(this.beanFactory.getType(name)));
	}

	String describe(String name) {
		return describe(this.beanFactory, name);
	}

	private static String describe(BeanFactory beanFactory, String name) {
		if (!(beanFactory instanceof BeanDefinitionRegistry registry) || !registry.containsBeanDefinition(name)) {
			return "bean '" + name + "'";
		}
		BeanDefinition definition = registry.getBeanDefinition(name);
		MethodMetadata method = (definition instanceof AnnotatedBeanDefinition annotated)
				? annotated.getFactoryMethodMetadata() : null;
		Object place = (method != null) ? "%s.%s()".formatted(method.getDeclaringClassName(), method.getMethodName())
				: definition.getResourceDescription();
		return (place != null) ? "bean '%s' (%s)".formatted(name, place) : "bean '" + name + "'";
	}

	H get(String name, BeanConfig config) {
		List<String> candidates = names().sorted().toList();
		String fix = (candidates.isEmpty()) ? "There are no hook beans." : "The hook beans are " + candidates + ".";
		if (config.bean() == null || config.bean().isBlank()) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of("bean"), "is missing", "Name a bean. " + fix)));
		}
		if (!candidates.contains(config.bean())) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("bean"), "names no hook bean", fix)));
		}
		return this.beanFactory.getBean(config.bean(), this.kind);
	}

}
