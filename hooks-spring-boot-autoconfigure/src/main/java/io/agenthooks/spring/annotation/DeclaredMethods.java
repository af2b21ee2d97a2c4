package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds all declarations of methods that a class has or inherits. */
final class DeclaredMethods {

	private DeclaredMethods() {
	}

	/** Whether somebody who knows our annotations may have written the class. */
	static boolean mayBeAnnotated(Class<?> type) {
		return !type.getName().startsWith("java.") && !type.getName().startsWith("org.springframework.");
	}

	/** Also those that come by way of an interface that only a subclass names. */
	static Set<Method> of(Class<?> type) {
		Set<Method> declared = new LinkedHashSet<>();
		ReflectionUtils.doWithMethods(type, declared::add, ReflectionUtils.USER_DECLARED_METHODS);
		for (Class<?> each : ClassUtils.getAllInterfacesForClassAsSet(type)) {
			ReflectionUtils.doWithMethods(each, declared::add, ReflectionUtils.USER_DECLARED_METHODS);
		}
		return declared;
	}

}
