package io.agenthooks.spring.prompt;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * By what is known of beans before they are made. Models need what calls tools, and that
 * needs the hooks: a hook that wanted a model before it is asked would be a circle.
 */
record ChatModels(ConfigurableListableBeanFactory beanFactory) {

	/** By the name of a bean or of a model; {@code null} asks for the only bean. */
	@Nullable JudgeModel find(@Nullable String name, List<Problem> problems) {
		List<String> beans = Stream
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, ChatModel.class, true, false))
			.filter((bean) -> !ScopedProxyUtils.isScopedTarget(bean))
			.sorted()
			.toList();
		if (name != null
				&& (beans.contains(name) || Stream.of(this.beanFactory.getAliases(name)).anyMatch(beans::contains))) {
			return new JudgeModel(() -> this.beanFactory.getBean(name, ChatModel.class), null);
		}
		if (beans.isEmpty()) {
			problems.add(new Problem(List.of(), "needs a model that judges, and there is no ChatModel bean",
					"Add a starter of Spring AI, such as spring-ai-starter-model-openai, or define a bean of the type "
							+ ChatModel.class.getName() + "."));
			return null;
		}
		String bean = theOne(beans);
		if (bean == null) {
			problems.add(new Problem(List.of("model"),
					(name != null)
							? "names no ChatModel bean, and there are several that could ask a model of that name"
							: "is missing, and there are several ChatModel beans",
					"Write one of %s, or make one of them @Primary.".formatted(beans)));
			return null;
		}
		return new JudgeModel(() -> this.beanFactory.getBean(bean, ChatModel.class), name);
	}

	/** That which Spring injects where none is chosen by name. */
	private @Nullable String theOne(List<String> beans) {
		for (Predicate<BeanDefinition> choice : List.<Predicate<BeanDefinition>>of(BeanDefinition::isPrimary,
				(bean) -> bean.isAutowireCandidate() && !bean.isFallback(), BeanDefinition::isAutowireCandidate)) {
			List<String> chosen = beans.stream().filter((bean) -> choice.test(definition(bean))).toList();
			if (chosen.size() == 1) {
				return chosen.get(0);
			}
		}
		return null;
	}

	private BeanDefinition definition(String bean) {
		try {
			return this.beanFactory.getMergedBeanDefinition(bean);
		}
		catch (NoSuchBeanDefinitionException ex) {
			// A ready-made singleton.
			return new RootBeanDefinition();
		}
	}

}
