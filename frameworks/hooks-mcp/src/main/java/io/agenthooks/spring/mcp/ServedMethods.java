package io.agenthooks.spring.mcp;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.origin.WrappedTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * The methods behind handlers that do not tell them. Spring AI may be absent, so this
 * reads fields.
 */
final class ServedMethods {

	/** Spring AI's handler of tools that are annotated methods. */
	static final String OF_ANNOTATIONS = "org.springframework.ai.mcp.annotation.";

	/** Spring AI's tool of a model that is a method. */
	private static final String OF_CALLBACKS = "org.springframework.ai.tool.method.MethodToolCallback";

	/** Spring AI's step between a tool of a model and one of a server. */
	private static final String CONVERTED = "org.springframework.ai.mcp.McpToolUtils";

	/** Spring AI's tool of a model around another one. */
	private static final String AUGMENTED = "org.springframework.ai.tool.augment.";

	private static final String SPRING_AI = "org.springframework.ai.";

	private static final @Nullable Class<?> callbacks = callbacks(ServedMethods.class.getClassLoader());

	private ServedMethods() {
	}

	private static @Nullable Class<?> callbacks(@Nullable ClassLoader classLoader) {
		String name = "org.springframework.ai.tool.ToolCallback";
		return (ClassUtils.isPresent(name, classLoader)) ? ClassUtils.resolveClassName(name, classLoader) : null;
	}

	/**
	 * Objects to an argument that a method would get as another one than hooks see, and
	 * to a rule of it that no hook of the chain stands for. Behind a handler of the
	 * application that does not say what it wraps may be any.
	 */
	static @Nullable String objection(Object handler, ToolCall call, ToolHookChain chain) {
		String unruled = ToolPolicies.objection(handler);
		if (unruled != null || callbacks == null) {
			return unruled;
		}
		for (Object end : WrappedTools.behind(handler, ServedMethods::wrappedBy)) {
			Method method = methodOf(end);
			String objection = (method != null)
					? WrappedTools.objection(method, fieldOf(end, "toolObject"), call, chain)
					: (isWithoutMethod(end.getClass().getName())) ? null : WrappedTools.objection(end, call, chain);
			if (objection != null) {
				return objection;
			}
		}
		return null;
	}

	/**
	 * The handler, and what is behind the functions that Spring AI and the server make of
	 * a tool.
	 */
	private static @Nullable Collection<?> wrappedBy(Object handler) {
		Object specified = GuardedTool.handlerOf(handler);
		if (specified != null) {
			return List.of(specified);
		}
		List<?> found = (isStep(handler.getClass())) ? Arrays.stream(handler.getClass().getDeclaredFields())
			.map((field) -> valueOf(field, handler))
			.filter((value) -> value != null && isHandler(value))
			.toList() : List.of();
		return (!found.isEmpty()) ? found : null;
	}

	private static boolean isStep(Class<?> type) {
		return type.getName().startsWith(CONVERTED)
				|| (type.isHidden() && type.getName().startsWith("io.modelcontextprotocol.server."));
	}

	private static boolean isHandler(Object value) {
		return isStep(value.getClass()) || value instanceof BiFunction || GuardedTool.handlerOf(value) != null
				|| (callbacks != null && callbacks.isInstance(value));
	}

	private static boolean isWithoutMethod(String type) {
		return type.startsWith(SPRING_AI) && !type.startsWith(OF_ANNOTATIONS) && !type.equals(OF_CALLBACKS)
				&& !type.startsWith(AUGMENTED) && !type.startsWith(CONVERTED);
	}

	private static @Nullable Method methodOf(Object end) {
		String type = end.getClass().getName();
		return ((type.startsWith(OF_ANNOTATIONS) || type.equals(OF_CALLBACKS))
				&& fieldOf(end, "toolMethod") instanceof Method method) ? method : null;
	}

	private static @Nullable Object fieldOf(Object end, String name) {
		Field field = ReflectionUtils.findField(end.getClass(), name);
		return (field != null) ? valueOf(field, end) : null;
	}

	private static @Nullable Object valueOf(Field field, Object owner) {
		ReflectionUtils.makeAccessible(field);
		return ReflectionUtils.getField(field, owner);
	}

}
