package io.agenthooks.spring.ai;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.agenthooks.spring.ai.SpringAiVersionInitializer.OldSpringAiException;

/**
 * Tells which Spring AI to use.
 */
final class OldSpringAiFailureAnalyzer extends AbstractFailureAnalyzer<OldSpringAiException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, OldSpringAiException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()),
				"Set the version of 'spring-ai-bom' to 2.0.1 or later, or set 'hooks.tool_call.enabled', "
						+ "'hooks.llm_call.enabled' and 'hooks.run.enabled' to false.",
				cause);
	}

}
