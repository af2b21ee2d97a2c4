package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.ReflectionUtils.MethodCallback;

/** Finds the annotated methods that a class has or inherits. */
final class DeclaredMethods {

	/** A start asks for each class several times, and a JVM may start many contexts. */
	private static final Map<Class<?>, List<Method>> classes = new ConcurrentReferenceHashMap<>();

	private DeclaredMethods() {
	}

	/** Whether a class may have annotations of ours: even examples of Spring do. */
	static boolean mayBeAnnotated(Class<?> type) {
		return !type.getName().startsWith("java.");
	}

	/**
	 * All declarations with any annotation, also those that come by way of an interface
	 * that only a subclass names.
	 * @throws IllegalStateException if a type in a signature is missing
	 */
	static List<Method> annotatedOf(Class<?> type) {
		return classes.computeIfAbsent(type, DeclaredMethods::find);
	}

	private static List<Method> find(Class<?> type) {
		List<Method> declared = new ArrayList<>();
		MethodCallback add = (method) -> {
			if (method.getDeclaredAnnotations().length > 0 && !declared.contains(method)) {
				declared.add(method);
			}
		};
		ReflectionUtils.doWithMethods(type, add, ReflectionUtils.USER_DECLARED_METHODS);
		for (Class<?> each : ClassUtils.getAllInterfacesForClassAsSet(type)) {
			ReflectionUtils.doWithMethods(each, add, ReflectionUtils.USER_DECLARED_METHODS);
		}
		return List.copyOf(declared);
	}

}
