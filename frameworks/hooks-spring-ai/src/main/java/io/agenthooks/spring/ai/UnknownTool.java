package io.agenthooks.spring.ai;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/** Stands in for an unknown tool: its call is refused, and the others go on. */
record UnknownTool(String name) implements ToolCallback {

	static final String REASON = "There is no tool of this name";

	@Override
	public ToolDefinition getToolDefinition() {
		return new Definition(this.name);
	}

	@Override
	public String call(String toolInput) {
		throw new IllegalStateException("The call of an unknown tool was not refused");
	}

	/** Spring AI's builder takes no blank name, but a model may. */
	private record Definition(String name) implements ToolDefinition {

		@Override
		public String description() {
			return "An unknown tool";
		}

		@Override
		public String inputSchema() {
			return "{}";
		}

	}

}
