package io.agenthooks.spring.approval;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.binding.HookPropertySources;

/**
 * The application whose questions a shared store keeps.
 *
 * @param application its name, the same on all nodes, which tells its questions from
 * those of others; empty if it has none
 * @param mainClass its main class; empty if there is none
 */
record StoreOwner(String application, boolean written, String mainClass) {

	static StoreOwner of(HookPropertySources properties, ListableBeanFactory beanFactory) {
		String mainClass = Arrays.stream(beanFactory.getBeanDefinitionNames())
			.filter((name) -> beanFactory.findAnnotationOnBean(name, SpringBootConfiguration.class, false) != null)
			.map((name) -> beanFactory.getType(name, false))
			.filter(Objects::nonNull)
			.map((type) -> ClassUtils.getUserClass(type).getName())
			.sorted()
			.collect(Collectors.joining(", "));
		return new StoreOwner(Objects.requireNonNullElse(properties.application(), ""),
				properties.isApplicationWritten(), mainClass);
	}

}
