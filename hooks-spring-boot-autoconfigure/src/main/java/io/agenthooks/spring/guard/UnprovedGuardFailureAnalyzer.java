package io.agenthooks.spring.guard;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class UnprovedGuardFailureAnalyzer extends AbstractFailureAnalyzer<UnprovedGuardException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnprovedGuardException cause) {
		return new FailureAnalysis(
				"Hooks are active, but a call that they must deny was not denied by them. It was made through "
						+ cause.getBean() + ".",
				"Look for what changes this bean after it was guarded, or gives it other hooks: another "
						+ "post-processor, an aspect, a HookedToolExecutor with a chain of its own, or a method "
						+ "'execute' that is final.",
				cause);
	}

}
