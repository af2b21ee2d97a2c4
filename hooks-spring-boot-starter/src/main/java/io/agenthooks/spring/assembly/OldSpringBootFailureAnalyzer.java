package io.agenthooks.spring.assembly;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.agenthooks.spring.assembly.SpringBootVersionInitializer.OldSpringBootException;

/**
 * Says which Spring Boot to use.
 */
final class OldSpringBootFailureAnalyzer extends AbstractFailureAnalyzer<OldSpringBootException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, OldSpringBootException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()),
				"Set the version of 'spring-boot-starter-parent' or 'spring-boot-dependencies' to 4.1.0 or later, "
						+ "or remove 'hooks-spring-boot-starter'.",
				cause);
	}

}
