package io.agenthooks.spring.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes a text for the model of what a tool threw.
 */
@FunctionalInterface
interface FailureTexts {

	/** The text, or {@code null} if there is none. */
	@Nullable String textOf(Exception failure, ToolExecutionRequest request, InvocationContext invocation);

}
