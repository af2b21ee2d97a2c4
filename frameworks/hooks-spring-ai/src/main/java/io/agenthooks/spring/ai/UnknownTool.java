package io.agenthooks.spring.ai;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Stands in for an unknown tool, so that its call is refused and the others that the
 * model made with it go on.
 */
record UnknownTool(String name) implements ToolCallback {

	/** The text for the model. */
	static final String REASON = "There is no tool of this name";

	@Override
	public ToolDefinition getToolDefinition() {
		return new Definition(this.name);
	}

	@Override
	public String call(String toolInput) {
		throw new IllegalStateException("The call of an unknown tool was not refused");
	}

	/**
	 * Not made by Spring AI's builder, since that takes no blank name and a model may.
	 */
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
