package io.agenthooks.spring.guard;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.toolcall.ToolHook;

/**
 * Says at the start of which beans of the application nobody can see whether they are
 * hooks, or give hooks: they are made later, or anew each time, and their declared type
 * does not tell. Hooks in them would not be asked.
 */
final class UnseenHooks implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnseenHooks.class);

	/** Whose types are no hooks, and are no reason to be one. */
	private static final List<String> FRAMEWORKS = List.of("org.springframework.", "dev.langchain4j.",
			"io.modelcontextprotocol.", "io.micrometer.", "jakarta.", "javax.", "reactor.");

	private static final GivenTypes HOOKS = new GivenTypes(List.of(new GuardedType("hook",
			List.of(ToolHook.class, LlmHook.class, RunHook.class), (bean) -> false, (bean, chain) -> 0, null)));

	private final ConfigurableListableBeanFactory beanFactory;

	private final boolean strict;

	/**
	 * Create the check.
	 * @param beanFactory the beans of the application
	 * @param strict whether such a bean stops the start
	 */
	UnseenHooks(ConfigurableListableBeanFactory beanFactory, boolean strict) {
		this.beanFactory = beanFactory;
		this.strict = strict;
	}

	/**
	 * Whether a bean has to be made at the start, also where all others are lazy, because
	 * its type does not tell whether it is a hook.
	 * @param definition the definition of the bean
	 * @param type its declared type
	 * @return whether it must not be lazy unless it says so itself
	 */
	static boolean mayBeHook(BeanDefinition definition, @Nullable Class<?> type) {
		return isOfApplication(definition)
				&& (type == null || isVague(type) || GivenTypes.isGiverOrHolder(type) || type.isArray());
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
			return Stream.concat(Stream.of(bean), PlainCollections.elements(bean))
				.anyMatch((one) -> GivenTypes.isGiver(one) && HOOKS.mayGive(one, name, this.beanFactory));
		}
		Class<?> type = this.beanFactory.getType(name, false);
		return type == null
				|| ((GivenTypes.isGiverOrHolder(type)) ? HOOKS.mayBeDeclared(name, this.beanFactory) : isVague(type));
	}

	/**
	 * Whether what is declared with a type may be a hook nevertheless. The type of a hook
	 * is known.
	 */
	private static boolean isVague(Class<?> type) {
		return type == Object.class || (Modifier.isAbstract(type.getModifiers()) && !type.isArray()
				&& !type.isPrimitive() && FRAMEWORKS.stream().noneMatch(type.getName()::startsWith)
				&& Stream.of(ToolHook.class, LlmHook.class, RunHook.class)
					.noneMatch((kind) -> kind.isAssignableFrom(type)));
	}

	private static boolean isOfApplication(BeanDefinition definition) {
		String maker = Objects.requireNonNullElse(definition.getFactoryBeanName(),
				Objects.requireNonNullElse(definition.getBeanClassName(), ""));
		return definition.getRole() == BeanDefinition.ROLE_APPLICATION && !maker.contains("AutoConfiguration")
				&& !maker.startsWith("org.springframework.") && !maker.startsWith("io.agenthooks.spring.");
	}

}
