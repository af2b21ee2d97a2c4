package io.agenthooks.spring.ai;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Stands in for a tool that nobody knows, so that its call is refused and the others that
 * the model made with it go on.
 *
 * @param name the name that the model called
 */
record UnknownTool(String name) implements ToolCallback {

	@Override
	public ToolDefinition getToolDefinition() {
		return ToolDefinition.builder().name(this.name).description("Nobody knows it").inputSchema("{}").build();
	}

	@Override
	public String call(String toolInput) {
		throw new IllegalStateException("The call of an unknown tool was not refused");
	}

}
