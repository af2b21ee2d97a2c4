package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.chain.Entered;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.Step;

/**
 * A hook with what is said about it. Without a chain it does what a chain would do.
 */
final class EnteredPreToolHook implements PreToolHook, Entered<PreToolHook> {

	private final HookEntry<PreToolHook> entry;

	private final Step<ToolCall, ToolCall, ToolDecision> step;

	EnteredPreToolHook(HookEntry<PreToolHook> entry) {
		this.entry = entry;
		this.step = ToolKind.deciding(entry);
	}

	@Override
	public HookEntry<PreToolHook> entry() {
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
	public boolean isRepeatable() {
		return this.entry.hook().isRepeatable();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return Objects.requireNonNull(this.step.askAlone(call, call), "The hook decided nothing");
	}

}
