package io.agenthooks.spring.guard;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.Hook;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.toolcall.ToolHook;

/**
 * Says of which beans nobody can see at the start whether they are hooks or give some:
 * they are made later, and their declared type does not tell. Such hooks would not be
 * asked.
 */
final class UnseenHooks implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnseenHooks.class);

	/** Libraries whose beans are no hooks. */
	private static final List<String> LIBRARIES = List.of("org.springframework.", "dev.langchain4j.",
			"io.modelcontextprotocol.", "io.micrometer.", "reactor.");

	/** Platforms whose types are no reason to be a hook. */
	private static final List<String> PLATFORMS = List.of("jakarta.", "javax.", "java.");

	private static final List<Class<?>> KINDS = List.of(ToolHook.class, LlmHook.class, RunHook.class);

	private static final GivenTypes HOOKS = new GivenTypes(KINDS);

	private final ConfigurableListableBeanFactory beanFactory;

	private final boolean strict;

	UnseenHooks(ConfigurableListableBeanFactory beanFactory, boolean strict) {
		this.beanFactory = beanFactory;
		this.strict = strict;
	}

	/** Also where all others are lazy, as its type does not tell whether it is a hook. */
	static boolean mayBeHook(BeanDefinition definition, @Nullable Class<?> type) {
		return isOfApplication(definition) && (type == null || isVague(type) || isOwnInterface(type)
				|| GivenTypes.isGiverOrHolder(type) || type.isArray());
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<String> unseen = Stream.of(this.beanFactory.getBeanDefinitionNames())
			.filter(this::isUnseen)
			.map(UnseenHooks::nameOf)
			.distinct()
			.toList();
		if (unseen.isEmpty()) {
			return;
		}
		String message = ("Nobody can see at the start whether these beans are hooks, or give hooks, so such hooks would not "
				+ "be asked: '%s'. Declare each with its own class, as the return type of its @Bean method or the "
				+ "getObjectType() of its FactoryBean; write a @Bean method for each hook; or let the bean be made at the start.")
			.formatted(String.join("', '", unseen));
		if (this.strict) {
			throw new IllegalStateException(message);
		}
		logger.warn(message);
	}

	private static String nameOf(String name) {
		return (ScopedProxyUtils.isScopedTarget(name)) ? ScopedProxyUtils.getOriginalBeanName(name) : name;
	}

	private boolean isUnseen(String name) {
		BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(name);
		if (definition.isAbstract() || !isOfApplication(definition)) {
			return false;
		}
		Object bean = (this.beanFactory.containsSingleton(name)) ? this.beanFactory.getSingleton(name) : null;
		if (bean != null && !(bean instanceof FactoryBean<?>)) {
			return gives(name, bean);
		}
		Class<?> type = this.beanFactory.getType(name, false);
		if (bean instanceof FactoryBean<?> factory && factory.isSingleton() && (type == null || isVague(type))) {
			return isHookMadeBy(name);
		}
		return type == null || ((GivenTypes.isGiverOrHolder(type) || type.isArray())
				? HOOKS.mayBeDeclared(name, this.beanFactory) : isVague(type));
	}

	private boolean gives(String name, Object bean) {
		return HOOKS.isGivenBy(bean, name, this.beanFactory)
				|| Stream.concat(Stream.of(bean), PlainCollections.elements(bean))
					.anyMatch((one) -> GivenTypes.isGiver(one) && HOOKS.mayGive(one, name, this.beanFactory));
	}

	/** The factory does not say before whether it makes a hook. */
	private boolean isHookMadeBy(String name) {
		try {
			Object product = this.beanFactory.getBean(name);
			return gives(name, product) || this.beanFactory.getBeanProvider(MissedHooks.class)
				.stream()
				.anyMatch((hooks) -> !hooks.notAskedOf(name, product).isEmpty());
		}
		catch (BeansException ex) {
			return true;
		}
	}

	/**
	 * The type of a hook is known, and an interface that has nothing to do with hooks is
	 * no reason to be one.
	 */
	private static boolean isVague(Class<?> type) {
		return type == Object.class || (Hook.class.isAssignableFrom(type)
				&& KINDS.stream().noneMatch((kind) -> kind.isAssignableFrom(type)));
	}

	/** Its bean may have a hook's class, too. */
	private static boolean isOwnInterface(Class<?> type) {
		return Modifier.isAbstract(type.getModifiers()) && !type.isPrimitive()
				&& Stream.of(LIBRARIES, PLATFORMS).flatMap(List::stream).noneMatch(type.getName()::startsWith)
				&& KINDS.stream().noneMatch((kind) -> kind.isAssignableFrom(type));
	}

	/** Libraries that are not known may be of the same company. */
	private static boolean isOfApplication(BeanDefinition definition) {
		return !StarterBeans.isOne(definition)
				&& LIBRARIES.stream().noneMatch(StarterBeans.makerOf(definition)::startsWith);
	}

}
