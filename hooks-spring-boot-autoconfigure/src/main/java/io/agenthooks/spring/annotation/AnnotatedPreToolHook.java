package io.agenthooks.spring.annotation;

import java.util.function.Predicate;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

record AnnotatedPreToolHook(String name, Predicate<String> tools, PreToolHook method) implements PreToolHook {

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.method.preCall(call);
	}

}
