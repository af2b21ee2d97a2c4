package io.agenthooks.spring.ai;

import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * The definition of a tool whose calls pass the hooks. Observations show the definition
 * and not the tool, so this is the mark that they know such a tool by.
 */
record GuardedToolDefinition(ToolDefinition definition) implements ToolDefinition {

	@Override
	public String name() {
		return this.definition.name();
	}

	@Override
	public String description() {
		return this.definition.description();
	}

	@Override
	public String inputSchema() {
		return this.definition.inputSchema();
	}

}
