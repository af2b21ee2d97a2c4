package io.agenthooks.spring.binding;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why a feature cannot be set up, and what to do. */
final class InvalidFeatureFailureAnalyzer extends AbstractFailureAnalyzer<InvalidFeatureException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidFeatureException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
	}

}
