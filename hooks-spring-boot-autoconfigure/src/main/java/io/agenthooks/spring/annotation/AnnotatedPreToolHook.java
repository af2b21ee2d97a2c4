package io.agenthooks.spring.annotation;

import java.util.function.Predicate;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * A method that decides before the call, under the name and for the tools that its
 * annotation says.
 */
record AnnotatedPreToolHook(String name, Predicate<String> tools, PreToolHook method) implements PreToolHook {

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.method.preCall(call);
	}

}
