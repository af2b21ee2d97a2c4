package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.origin.WrappedTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/** The methods that tools lead to, which they keep in a private field. */
final class MethodTools {

	private static final @Nullable Field METHOD = field("toolMethod");

	static final @Nullable Field OBJECT = field("toolObject");

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
	 * stands for. Behind a tool that does not say what it wraps may be any.
	 */
	static @Nullable String objection(ToolCallback tool, ToolCall call, ToolHookChain chain) {
		ToolCallback bare = GuardedToolCallback.unwrap(tool);
		String unruled = ToolPolicies.objection(bare);
		if (unruled != null) {
			return unruled;
		}
		for (Object end : endsOf(bare)) {
			Method method = (end instanceof MethodToolCallback known) ? methodOf(known) : null;
			String objection = (method != null)
					? WrappedTools.objection(method, objectOf((ToolCallback) end), call, chain)
					: (isWithoutMethod(end)) ? null : WrappedTools.objection(end, call, chain);
			if (objection != null) {
				return objection;
			}
		}
		return null;
	}

	private static List<?> endsOf(ToolCallback tool) {
		return (tool.getClass() == MethodToolCallback.class || isWithoutMethod(tool)) ? List.of(tool)
				: WrappedTools.behind(tool, AugmentedArguments::wrappedBy);
	}

	private static boolean isWithoutMethod(Object tool) {
		return tool.getClass() == FunctionToolCallback.class || tool instanceof UnknownTool || McpOrigin.isRemote(tool);
	}

	static @Nullable Object objectOf(ToolCallback tool) {
		return (OBJECT != null) ? ReflectionUtils.getField(OBJECT, tool) : null;
	}

	static @Nullable Method methodOf(ToolCallback tool) {
		return (METHOD != null) ? (Method) ReflectionUtils.getField(METHOD, tool) : null;
	}

}
