package io.agenthooks.spring.approval;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says why questions cannot be kept in the database, and what to do.
 */
final class InvalidApprovalStoreFailureAnalyzer extends AbstractFailureAnalyzer<InvalidApprovalStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidApprovalStoreException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
	}

}
