package io.agenthooks.spring.limit;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says why limits cannot be counted, and what to do.
 */
final class InvalidLimitStoreFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLimitStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLimitStoreException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
	}

}
