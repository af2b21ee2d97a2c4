package io.agenthooks.spring.web;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Spring Security may be missing. */
final class EndpointSecurity {

	/** Our own chains. None asks another, since that one would ask back. */
	private static final Set<String> OWN = Set.of("hooksConsoleSecurityFilterChain", "hooksApprovalSecurityFilterChain",
			"hooksApprovalLinksSecurityFilterChain");

	private EndpointSecurity() {
	}

	/** A chain that is put together by hand might leave paths out unnoticed. */
	static boolean isActive(ListableBeanFactory beanFactory, String builder) {
		ClassLoader classLoader = EndpointSecurity.class.getClassLoader();
		return ClassUtils.isPresent(builder, classLoader) && beanFactory
			.getBeanNamesForType(ClassUtils.resolveClassName(builder, classLoader), true, false).length > 0;
	}

	static <T> List<T> chainsOfApplication(ListableBeanFactory beanFactory, Class<T> type) {
		return Stream.of(beanFactory.getBeanNamesForType(type))
			.filter((name) -> !OWN.contains(name))
			.map((name) -> beanFactory.getBean(name, type))
			.toList();
	}

}
