package io.agenthooks.spring.ai;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.execution.ToolExecutionException;

import io.agenthooks.AdditionalContext;

/**
 * The failure of a tool, whose message the model gets to read, without what looks like
 * text that hooks added.
 */
final class NeutralizedToolException extends ToolExecutionException {

	private final String message;

	private NeutralizedToolException(ToolExecutionException failure, String message) {
		super(failure.getToolDefinition(), Objects.requireNonNullElse(failure.getCause(), failure));
		this.message = message;
		setStackTrace(failure.getStackTrace());
	}

	/**
	 * The failure itself if its message is harmless.
	 */
	static ToolExecutionException of(ToolExecutionException failure) {
		@Nullable String message = failure.getMessage();
		String harmless = (message != null) ? AdditionalContext.neutralize(message) : null;
		return (harmless == null || harmless.equals(message)) ? failure
				: new NeutralizedToolException(failure, harmless);
	}

	@Override
	public String getMessage() {
		return this.message;
	}

}
