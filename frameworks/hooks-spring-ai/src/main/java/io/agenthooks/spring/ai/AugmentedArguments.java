package io.agenthooks.spring.ai;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;

import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;

/**
 * The arguments that Spring AI's {@code AugmentedToolCallback} asks a model for beside
 * those of a tool, such as its thoughts, and takes off before it calls that tool.
 */
final class AugmentedArguments {

	private static final String AUGMENTED = "org.springframework.ai.tool.augment.AugmentedToolCallback";

	private AugmentedArguments() {
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
