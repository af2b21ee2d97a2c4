package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/** To Java, such a method takes one parameter more, which is where its result goes. */
final class SuspendingMethods {

	private static final boolean supported = isPresent("kotlinx.coroutines.reactor.MonoKt")
			&& isPresent("kotlin.reflect.full.KClasses");

	private SuspendingMethods() {
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, SuspendingMethods.class.getClassLoader());
	}

	static boolean contain(Method method) {
		return KotlinDetector.isSuspendingFunction(method);
	}

	static boolean areSupported() {
		return supported;
	}

	static int parameterCount(Method method) {
		return (contain(method)) ? method.getParameterCount() - 1 : method.getParameterCount();
	}

	static ResolvableType returned(Method method, Class<?> beanClass) {
		return ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, beanClass).getGeneric();
	}

	static void await(@Nullable Object returned, Duration limit) {
		if (returned instanceof Mono<?> result) {
			result.timeout(limit).block();
		}
	}

	static Mono<?> invoke(Method method, Object bean, @Nullable Object[] arguments) {
		Publisher<?> result = CoroutinesUtils.invokeSuspendingFunction(method, bean, arguments);
		return Mono.from(result);
	}

}
