package io.agenthooks.spring.ai;

import org.springframework.ai.tool.definition.ToolDefinition;

/** The mark by which observations, which show definitions, know a guarded tool. */
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
