package io.agenthooks.spring.web;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains why endpoints cannot be served, and what to write instead.
 */
final class InvalidEndpointFailureAnalyzer extends AbstractFailureAnalyzer<InvalidEndpointException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidEndpointException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()), cause.getAction(), cause);
	}

}
