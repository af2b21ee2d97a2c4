package io.agenthooks.spring.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.BeforeToolExecution;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the tool that this thread is about to run. LangChain4j does not say so of
 * a missing tool.
 */
final class BegunExecution {

	private static final ThreadLocal<@Nullable BeforeToolExecution> begun = new ThreadLocal<>();

	private BegunExecution() {
	}

	static void begin(BeforeToolExecution execution) {
		begun.set(execution);
	}

	static @Nullable InvocationContext end(ToolExecutionRequest request) {
		BeforeToolExecution execution = begun.get();
		if (execution != null) {
			// To remove it would take longer, and null keeps nothing alive.
			begun.set(null);
		}
		return (execution != null && execution.request().equals(request)) ? execution.invocationContext() : null;
	}

}
