package io.agenthooks.spring.mcp;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.arguments.TextsReadTwice;
import io.agenthooks.spring.origin.WrappedTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * The methods that Spring AI calls for tools of a server. They are behind handlers that
 * do not tell, and Spring AI may be absent, which is why this reads fields.
 */
final class ServedMethods {

	/** Spring AI's handler of tools that are annotated methods. */
	static final String OF_ANNOTATIONS = "org.springframework.ai.mcp.annotation.";

	/** Spring AI's tool of a model that is a method. */
	private static final String OF_CALLBACKS = "org.springframework.ai.tool.method.MethodToolCallback";

	/** Spring AI's step between a tool of a model and one of a server. */
	private static final String CONVERTED = "org.springframework.ai.mcp.McpToolUtils";

	private static final String METHOD = "toolMethod";

	/** A tool of a model, or {@code null} without Spring AI. */
	private static final @Nullable Class<?> callbacks = callbacks(ServedMethods.class.getClassLoader());

	private static final WrappedTools<Object> handlers = WrappedTools.of(ServedMethods::isHandler,
			ServedMethods::isOfMethod,
			(type) -> type.getName().startsWith("io.agenthooks.spring.") && !isHandler(type));

	private ServedMethods() {
	}

	private static @Nullable Class<?> callbacks(@Nullable ClassLoader classLoader) {
		String name = "org.springframework.ai.tool.ToolCallback";
		return (ClassUtils.isPresent(name, classLoader)) ? ClassUtils.resolveClassName(name, classLoader) : null;
	}

	/**
	 * The objection to a call of the methods behind a handler, or {@code null}: an
	 * argument that they would get as another one than hooks see, or a rule of theirs
	 * that no hook of the chain stands for.
	 */
	static @Nullable String objection(Object handler, ToolCall call, ToolHookChain chain) {
		for (Method method : methodsOf(handler)) {
			String unruled = ToolPolicies.objection(method, call, chain);
			String objection = (unruled != null || !TextsReadTwice.mayBeIn(call.arguments())) ? unruled
					: TextsReadTwice.objection(method, call.arguments());
			if (objection != null) {
				return objection;
			}
		}
		return null;
	}

	private static List<Method> methodsOf(Object handler) {
		return handlers.find(handler).tools().stream().map(ServedMethods::methodOf).filter(Objects::nonNull).toList();
	}

	private static @Nullable Method methodOf(Object found) {
		Field field = Objects.requireNonNull(ReflectionUtils.findField(found.getClass(), METHOD));
		ReflectionUtils.makeAccessible(field);
		return (ReflectionUtils.getField(field, found) instanceof Method method) ? method : null;
	}

	/** Whether objects of a class handle calls, or lead to what does. */
	private static boolean isHandler(Class<?> type) {
		return BiFunction.class.isAssignableFrom(type) || McpToolGuard.TOOLS.contains(type)
				|| (callbacks != null && callbacks.isAssignableFrom(type)) || type.getName().startsWith(CONVERTED);
	}

	private static boolean isOfMethod(Class<?> type) {
		return (type.getName().startsWith(OF_ANNOTATIONS) || type.getName().equals(OF_CALLBACKS))
				&& ReflectionUtils.findField(type, METHOD) != null;
	}

}
