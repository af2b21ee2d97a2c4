package io.agenthooks.toolcall;

import java.util.function.Predicate;

import io.agenthooks.chain.Entered;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.Step;

/**
 * A post-call hook with what is said about it. Without a chain it does what a chain would
 * do.
 */
final class EnteredPostToolHook implements PostToolHook, Entered<PostToolHook> {

	private final HookEntry<PostToolHook> entry;

	private final Step<ToolCall, ToolOutcome, ToolDecision> step;

	EnteredPostToolHook(HookEntry<PostToolHook> entry) {
		this.entry = entry;
		this.step = ToolKind.learning(entry);
	}

	@Override
	public HookEntry<PostToolHook> entry() {
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
	public void postCall(ToolOutcome outcome) {
		this.step.tellAlone(outcome.effective(), outcome);
	}

}
