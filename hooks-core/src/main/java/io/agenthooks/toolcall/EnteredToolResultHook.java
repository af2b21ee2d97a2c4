package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.chain.Entered;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.Step;

/**
 * A result hook with what is said about it. Without a chain it does what a chain would
 * do.
 */
final class EnteredToolResultHook implements ToolResultHook, Entered<ToolResultHook> {

	private final HookEntry<ToolResultHook> entry;

	private final Step<ToolCall, ToolResult, ToolDecision> step;

	EnteredToolResultHook(HookEntry<ToolResultHook> entry) {
		this.entry = entry;
		this.step = ToolKind.replacing(entry);
	}

	@Override
	public HookEntry<ToolResultHook> entry() {
		return this.entry;
	}

	@Override
	public String name() {
		return this.entry.name();
	}

	@Override
	public Predicate<String> tools() {
		return ToolKind.tools(this.entry);
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return Objects.requireNonNull(this.step.askAlone(call, result), "The hook decided nothing");
	}

}
