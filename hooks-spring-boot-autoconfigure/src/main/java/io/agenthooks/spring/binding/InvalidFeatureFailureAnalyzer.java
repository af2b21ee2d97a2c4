package io.agenthooks.spring.binding;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class InvalidFeatureFailureAnalyzer extends AbstractFailureAnalyzer<InvalidFeatureException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidFeatureException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
	}

}
