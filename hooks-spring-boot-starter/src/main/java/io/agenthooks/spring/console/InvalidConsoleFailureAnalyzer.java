package io.agenthooks.spring.console;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.agenthooks.spring.console.ConsoleStart.InvalidConsoleException;

/**
 * Says why the console does not start, and what to write instead.
 */
final class InvalidConsoleFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConsoleException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConsoleException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()), cause.getAction(), cause);
	}

}
