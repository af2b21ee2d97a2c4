package io.agenthooks.sample.tools;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.stereotype.Component;

import io.agenthooks.SafeText;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * Runs the tools of the agent for who calls them without a model. A plain
 * {@link ToolExecutor}, which the starter guards.
 */
@Component
class ToolBox implements ToolExecutor {

	private final SortedMap<String, ToolCallback> tools = new TreeMap<>();

	ToolBox(AgentTools tools) {
		for (ToolCallback tool : tools.callbacks()) {
			this.tools.put(tool.getToolDefinition().name(), tool);
		}
	}

	@Override
	public ToolResult execute(ToolCall call) {
		ToolCallback tool = this.tools.get(call.tool());
		if (tool == null) {
			return ToolResult.failure("There is no tool '%s'. There are %s".formatted(SafeText.name(call.tool()),
					String.join(", ", toolNames())));
		}
		try {
			return ToolResult.success(tool.call(ToolArguments.write(call.arguments())));
		}
		catch (ToolExecutionException ex) {
			return ToolResult.failure(ToolFailures.describe(ex));
		}
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		ToolCallback tool = this.tools.get(call.tool());
		return (tool != null) ? ToolSchema.of(tool.getToolDefinition().inputSchema()).objection(call.arguments())
				: null;
	}

	@Override
	public Set<String> toolNames() {
		return Collections.unmodifiableSet(this.tools.keySet());
	}

}
