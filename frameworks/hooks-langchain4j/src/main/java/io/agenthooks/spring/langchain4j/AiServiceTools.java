package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/** A tool is known if one service that has the name of the agent has it, and no other. */
record AiServiceTools(AiServiceGuard guard) implements ResumableTools {

	@Override
	public @Nullable ToolExecutor find(ToolCall call) {
		String agent = call.context().agent();
		List<ResumableTool> tools = (agent != null) ? this.guard.services(agent)
			.stream()
			.map((service) -> ResumableTool.find(service, call, false))
			.filter(Objects::nonNull)
			.toList() : List.of();
		if (tools.size() > 1) {
			throw ApprovalRefusedException.severalTools();
		}
		return (tools.isEmpty()) ? null : tools.get(0).prepare(call);
	}

	@Override
	public String format() {
		return KeptTurn.FORMAT;
	}

}
