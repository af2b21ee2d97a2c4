package io.agenthooks.spring.ai;

import java.util.Objects;

import org.springframework.ai.tool.execution.ToolExecutionException;

/**
 * The failure of a tool with what the hooks left of its message, for the model. The
 * application gets the failure itself.
 */
final class ReviewedToolException extends ToolExecutionException {

	private final ToolExecutionException failure;

	private final String text;

	ReviewedToolException(ToolExecutionException failure, String text) {
		super(failure.getToolDefinition(), Objects.requireNonNullElse(failure.getCause(), failure));
		this.failure = failure;
		this.text = text;
		setStackTrace(failure.getStackTrace());
	}

	ToolExecutionException failure() {
		return this.failure;
	}

	@Override
	public String getMessage() {
		return this.text;
	}

}
