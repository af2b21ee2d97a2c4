package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;

/**
 * The arguments that an {@code AugmentedToolCallback} takes off before it calls its tool.
 */
final class AugmentedArguments {

	static final String AUGMENTED = "org.springframework.ai.tool.augment.AugmentedToolCallback";

	private AugmentedArguments() {
	}

	/**
	 * The tool that it calls, of which it does not tell; {@code null} for any other tool.
	 */
	static @Nullable Collection<?> wrappedBy(Object tool) {
		Field field = (tool.getClass().getName().equals(AUGMENTED))
				? ReflectionUtils.findField(tool.getClass(), "delegate") : null;
		if (field == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(field);
		Object wrapped = ReflectionUtils.getField(field, tool);
		return (wrapped != null) ? List.of(wrapped) : null;
	}

	static Map<String, @Nullable Object> takenOff(ToolCallback outer, Map<String, @Nullable Object> approved,
			ToolCallback tool) {
		if (!outer.getClass().getName().equals(AUGMENTED)) {
			return approved;
		}
		Map<?, ?> own = properties(tool);
		Map<?, ?> all = properties(outer);
		Map<String, @Nullable Object> left = new LinkedHashMap<>(approved);
		left.keySet().removeIf((name) -> all.containsKey(name) && !own.containsKey(name));
		return left;
	}

	private static Map<?, ?> properties(ToolCallback tool) {
		try {
			Object properties = ToolArguments.parse(tool.getToolDefinition().inputSchema(), "The schema")
				.get("properties");
			return (properties instanceof Map<?, ?> map) ? map : Map.of();
		}
		catch (InvalidToolArgumentsException ex) {
			return Map.of();
		}
	}

}
