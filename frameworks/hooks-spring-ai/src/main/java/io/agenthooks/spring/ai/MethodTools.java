package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.arguments.TextsReadTwice;
import io.agenthooks.spring.origin.WrappedTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

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
	 * The objection to a call of the methods behind a tool, or {@code null}: an argument
	 * that they would get as another one than hooks see, or a rule of theirs that no hook
	 * of the chain stands for.
	 */
	static @Nullable String objection(ToolCallback tool, ToolCall call, ToolHookChain chain) {
		for (Method method : methodsOf(GuardedToolCallback.unwrap(tool))) {
			String unruled = ToolPolicies.objection(method, call, chain);
			String objection = (unruled != null || !TextsReadTwice.mayBeIn(call.arguments())) ? unruled
					: TextsReadTwice.objection(method, call.arguments());
			if (objection != null) {
				return objection;
			}
		}
		return null;
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
