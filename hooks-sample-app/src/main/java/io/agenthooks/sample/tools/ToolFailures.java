package io.agenthooks.sample.tools;

import java.util.Objects;

import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.stereotype.Component;

/**
 * Says to the agent why a tool failed, in the same words whichever way it was called. The
 * message of an exception may hold anything, so only the type of one that no tool here
 * made is told.
 *
 * @since 0.1.0
 */
@Component
public class ToolFailures implements ToolExecutionExceptionProcessor {

	@Override
	public String process(ToolExecutionException exception) {
		return describe(exception);
	}

	/**
	 * Return the text of a failure for the agent.
	 * @param exception the failure
	 * @return a sentence
	 */
	public static String describe(ToolExecutionException exception) {
		Throwable cause = Objects.requireNonNullElse(exception.getCause(), exception);
		return (cause instanceof ToolFailedException failure) ? failure.getReason() : "The tool '%s' failed with %s"
			.formatted(exception.getToolDefinition().name(), cause.getClass().getName());
	}

}
