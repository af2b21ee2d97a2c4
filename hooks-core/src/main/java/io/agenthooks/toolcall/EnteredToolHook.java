package io.agenthooks.toolcall;

import java.util.function.Predicate;

import io.agenthooks.chain.Entered;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.Step;

/** Not final, so that a framework can make a proxy of one. */
abstract class EnteredToolHook<H extends ToolHook, S> extends Entered<H, ToolCall, S, ToolDecision> {

	private EnteredToolHook(HookEntry<H> entry, Step<ToolCall, S, ToolDecision> step) {
		super(entry, step);
	}

	static PreToolHook deciding(HookEntry<PreToolHook> entry) {
		return new Deciding(entry);
	}

	static ToolResultHook replacing(HookEntry<ToolResultHook> entry) {
		return new Replacing(entry);
	}

	static PostToolHook learning(HookEntry<PostToolHook> entry) {
		return new Learning(entry);
	}

	private static class Deciding extends EnteredToolHook<PreToolHook, ToolCall> implements PreToolHook {

		Deciding(HookEntry<PreToolHook> entry) {
			super(entry, ToolKind.deciding(entry));
		}

		@Override
		public Predicate<String> tools() {
			return ToolKind.tools(entry());
		}

		@Override
		public boolean isRepeatable() {
			return entry().hook().isRepeatable();
		}

		@Override
		public boolean mayAsk() {
			return entry().hook().mayAsk();
		}

		@Override
		public ToolDecision preCall(ToolCall call) {
			return decide(call, call);
		}

	}

	private static class Replacing extends EnteredToolHook<ToolResultHook, ToolResult> implements ToolResultHook {

		Replacing(HookEntry<ToolResultHook> entry) {
			super(entry, ToolKind.replacing(entry));
		}

		@Override
		public Predicate<String> tools() {
			return ToolKind.tools(entry());
		}

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			return decide(call, result);
		}

	}

	private static class Learning extends EnteredToolHook<PostToolHook, ToolOutcome> implements PostToolHook {

		Learning(HookEntry<PostToolHook> entry) {
			super(entry, ToolKind.learning(entry));
		}

		@Override
		public Predicate<String> tools() {
			return ToolKind.tools(entry());
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			tell(outcome.effective(), outcome);
		}

	}

}
