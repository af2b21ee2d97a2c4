package io.agenthooks.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.agenthooks.spring.autoconfigure.HooksInForceInitializer.HooksNotInForceException;

/**
 * Tells how to put configured hooks in force.
 */
final class HooksNotInForceFailureAnalyzer extends AbstractFailureAnalyzer<HooksNotInForceException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, HooksNotInForceException cause) {
		return new FailureAnalysis(
				"There are hooks under 'hooks.tool_call', but " + ToolCallHooksAutoConfiguration.class.getName()
						+ " is not active, so calls of tools would not pass them.",
				"Do not exclude that auto-configuration, nor switch the hooks off when the application is "
						+ "processed ahead of time. To switch the hooks off, set 'hooks.tool_call.enabled' to "
						+ "false.",
				cause);
	}

}
