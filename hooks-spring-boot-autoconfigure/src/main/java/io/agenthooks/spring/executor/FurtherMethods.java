package io.agenthooks.spring.executor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * Public methods that take a call or return a result run on the object behind its guard,
 * so the guard does not see which tools they run.
 */
final class FurtherMethods {

	private static final String FUNCTIONS = "java.util.function";

	/** Deeper inside of each other are only types that are made of themselves. */
	private static final int MAX_DEPTH = 8;

	private FurtherMethods() {
	}

	/**
	 * A final method runs on the guard itself, and so does one that has its body in an
	 * interface only.
	 */
	static Set<String> of(Class<?> type, boolean byInterface) {
		Set<String> found = new TreeSet<>();
		for (Method method : ClassUtils.getUserClass(type).getMethods()) {
			if (!Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()
					&& !method.getDeclaringClass().isInterface() && !ExecutorInterceptor.makesCalls(method)
					&& !isOf(ToolExecutor.class, method)
					&& ((byInterface) ? isOfInterface(type, method) : !Modifier.isFinal(method.getModifiers()))
					&& (takesCall(method, type) || returnsResult(method, type))) {
				found.add(method.getName() + "("
						+ String.join(", ", Stream.of(method.getParameterTypes()).map(Class::getSimpleName).toList())
						+ ")");
			}
		}
		return found;
	}

	private static boolean isOfInterface(Class<?> type, Method method) {
		return ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch((one) -> isOf(one, method));
	}

	private static boolean isOf(Class<?> type, Method method) {
		return ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes());
	}

	/** Functions that a method is given to make calls are no calls. */
	private static boolean takesCall(Method method, Class<?> type) {
		return IntStream.range(0, method.getParameterCount())
			.mapToObj(
					(i) -> ResolvableType.forMethodParameter(new MethodParameter(method, i).withContainingClass(type)))
			.filter((parameter) -> !parameter.toClass().getPackageName().equals(FUNCTIONS))
			.anyMatch((parameter) -> mentions(parameter, ToolCall.class, 0));
	}

	private static boolean returnsResult(Method method, Class<?> type) {
		return mentions(ResolvableType.forMethodReturnType(method, type), ToolResult.class, 0);
	}

	private static boolean mentions(ResolvableType type, Class<?> wanted, int depth) {
		if (depth > MAX_DEPTH) {
			return false;
		}
		return wanted.isAssignableFrom(type.toClass())
				|| (type.isArray() && mentions(type.getComponentType(), wanted, depth + 1))
				|| Stream.of(type.getGenerics()).anyMatch((generic) -> mentions(generic, wanted, depth + 1));
	}

}
