package io.agenthooks.spring.binding;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.agenthooks.spring.binding.LocatingYamlLoader.InvalidYamlException;

/**
 * Says which file is not valid YAML.
 */
final class InvalidYamlFailureAnalyzer extends AbstractFailureAnalyzer<InvalidYamlException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidYamlException cause) {
		return new FailureAnalysis("The configuration is not valid YAML:\n\n   " + cause.getMessage(), cause.action(),
				cause);
	}

}
