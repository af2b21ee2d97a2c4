package io.agenthooks.sample.tools;

import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.springframework.stereotype.Component;

import io.agenthooks.SafeText;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * Runs the tools of the agent. A plain {@link ToolExecutor}, as an application has it
 * before it adds hooks.
 */
@Component
class ToolBox implements ToolExecutor {

	private final SortedMap<String, Tool> tools = new TreeMap<>();

	ToolBox(Collection<Tool> tools) {
		tools.forEach((tool) -> this.tools.put(tool.name(), tool));
	}

	@Override
	public ToolResult execute(ToolCall call) {
		Tool tool = this.tools.get(call.tool());
		if (tool == null) {
			return ToolResult.failure("There is no tool '%s'. There are %s".formatted(SafeText.name(call.tool()),
					String.join(", ", toolNames())));
		}
		try {
			return ToolResult.success(tool.run(new ToolArguments(call.arguments())));
		}
		catch (ToolFailedException ex) {
			return ToolResult.failure(ex.getReason());
		}
		catch (IOException ex) {
			return ToolResult.failure("The tool '%s' failed with %s".formatted(tool.name(), ex.getClass().getName()));
		}
	}

	@Override
	public Set<String> toolNames() {
		return Collections.unmodifiableSet(this.tools.keySet());
	}

}
