package io.agenthooks.spring.ai;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.StaticToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.ai.tool.support.ToolDefinitions;
import org.springframework.ai.tool.support.ToolUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.origin.GuardedTools;

/** Finds the tools of Spring AI without a call that might ask a server. */
final class DeclaredTools {

	private DeclaredTools() {
	}

	/**
	 * The definitions of the tools of a bean, or {@code null} if only the bean knows
	 * which tools there are at what time.
	 */
	static @Nullable List<ToolDefinition> of(Object bean) {
		Object tools = (bean instanceof GuardedTools hooked) ? hooked.tools() : bean;
		if (tools instanceof ToolCallback tool) {
			return List.of(tool.getToolDefinition());
		}
		return (tools instanceof MethodToolCallbackProvider || tools instanceof StaticToolCallbackProvider)
				? Arrays.stream(((ToolCallbackProvider) tools).getToolCallbacks())
					.map(ToolCallback::getToolDefinition)
					.toList()
				: null;
	}

	static Map<String, Supplier<ToolDefinition>> ofMethodsOf(Class<?> type) {
		Map<String, Supplier<ToolDefinition>> tools = new LinkedHashMap<>();
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type, DeclaredTools::isTool)) {
			tools.put(ToolUtils.getToolName(method), () -> ToolDefinitions.from(method));
		}
		return tools;
	}

	private static boolean isTool(Method method) {
		return !method.isBridge() && AnnotatedElementUtils.hasAnnotation(method, Tool.class);
	}

}
