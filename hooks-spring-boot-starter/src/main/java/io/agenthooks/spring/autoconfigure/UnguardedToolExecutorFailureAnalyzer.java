package io.agenthooks.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Tells which executors escaped the guard, and how that happens.
 */
final class UnguardedToolExecutorFailureAnalyzer extends AbstractFailureAnalyzer<UnguardedToolExecutorException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardedToolExecutorException cause) {
		return new FailureAnalysis(
				"Hooks are in force, but calls of these executors of tools would not pass them:\n\n   "
						+ String.join("\n   ", cause.getExecutors()),
				"Make each executor a bean of its own that the context creates in the usual way. One escapes if a "
						+ "BeanFactoryPostProcessor needs it, if it was registered as a ready-made singleton, if it is "
						+ "inside a collection, or if it is in a parent context without hooks.",
				cause);
	}

}
