package io.agenthooks.spring.annotation;

import java.util.function.Predicate;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

record AnnotatedPostToolHook(String name, Predicate<String> tools, PostToolHook method) implements PostToolHook {

	@Override
	public void postCall(ToolOutcome outcome) {
		this.method.postCall(outcome);
	}

}
