package io.agenthooks.spring.approval;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says why people cannot be asked, and what to do.
 */
final class InvalidApprovalFailureAnalyzer extends AbstractFailureAnalyzer<InvalidApprovalException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidApprovalException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
	}

}
