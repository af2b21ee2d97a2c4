package io.agenthooks.spring.answer;

import java.util.List;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * For tests, and for tools that exist only as hooks. It is not a policy, which would be
 * asked again about calls that others answered: it has nothing to object.
 */
final class RespondToolHook implements PreToolHook {

	private final ToolDecision answer;

	RespondToolHook(RespondConfig config) {
		if (config.content() == null) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("content"), "The content is missing.",
					"Write what the agent gets, or \"\" for an empty answer.")));
		}
		this.answer = ToolDecision
			.respond((config.isError()) ? ToolResult.failure(config.content()) : ToolResult.success(config.content()));
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return false;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.answer;
	}

}
