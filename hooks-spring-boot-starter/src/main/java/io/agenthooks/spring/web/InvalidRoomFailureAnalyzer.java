package io.agenthooks.spring.web;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says why a room does not start, and what to write instead.
 */
final class InvalidRoomFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRoomException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRoomException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()), cause.getAction(), cause);
	}

}
