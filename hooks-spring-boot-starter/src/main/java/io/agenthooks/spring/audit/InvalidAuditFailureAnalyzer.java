package io.agenthooks.spring.audit;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says why the audit cannot be kept, where, and what to do.
 */
final class InvalidAuditFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAuditException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidAuditException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
	}

}
