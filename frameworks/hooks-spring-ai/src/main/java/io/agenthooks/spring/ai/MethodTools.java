package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.arguments.TextsReadTwice;
import io.agenthooks.spring.origin.WrappedTools;

/**
 * The methods that tools lead to. A tool does not tell its method, which is why this
 * reads a private field.
 */
final class MethodTools {

	private static final @Nullable Field METHOD = field("toolMethod");

	private static final WrappedTools<ToolCallback> wrappers = new WrappedTools<>(ToolCallback.class,
			MethodToolCallback.class::isAssignableFrom, (type) -> false, GuardedToolCallback::knows);

	private MethodTools() {
	}

	static @Nullable Field field(String name) {
		Field field = ReflectionUtils.findField(MethodToolCallback.class, name);
		if (field != null) {
			ReflectionUtils.makeAccessible(field);
		}
		return field;
	}

	/**
	 * The objection to arguments for the methods behind a tool: the one that they would
	 * get as another one than hooks see, or {@code null}.
	 */
	static @Nullable String objection(ToolCallback tool, Map<String, ? extends @Nullable Object> arguments) {
		if (METHOD == null || !TextsReadTwice.mayBeIn(arguments)) {
			return null;
		}
		return methodsOf(GuardedToolCallback.unwrap(tool)).stream()
			.map((method) -> TextsReadTwice.objection(method, arguments))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private static List<Method> methodsOf(ToolCallback tool) {
		if (tool instanceof FunctionToolCallback || tool instanceof UnknownTool) {
			return List.of();
		}
		List<ToolCallback> found = (tool instanceof MethodToolCallback) ? List.of(tool) : wrappers.find(tool).tools();
		return found.stream().map(MethodTools::methodOf).filter(Objects::nonNull).toList();
	}

	static @Nullable Method methodOf(ToolCallback tool) {
		return (METHOD != null) ? (Method) ReflectionUtils.getField(METHOD, tool) : null;
	}

}
