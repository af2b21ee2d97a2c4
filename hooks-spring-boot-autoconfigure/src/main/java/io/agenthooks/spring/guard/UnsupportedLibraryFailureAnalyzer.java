package io.agenthooks.spring.guard;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells which version of a library to use. */
final class UnsupportedLibraryFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedLibraryException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedLibraryException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()), cause.action(), cause);
	}

}
