package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InvalidFeatureFailureAnalyzer}.
 */
class InvalidFeatureFailureAnalyzerTests {

	@Test
	void analyzeSaysWhatIsWrongAndWhatToDo() {
		Invalid failure = new Invalid("The store is gone.", "Configure another one.");
		List<FailureAnalysis> analyses = SpringFactoriesLoader
			.forDefaultResourceLocation(InvalidFeatureFailureAnalyzer.class.getClassLoader())
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, ex) -> {
			}))
			.stream()
			.map((analyzer) -> analyzer.analyze(new IllegalStateException("The bean failed", failure)))
			.filter(Objects::nonNull)
			.toList();
		assertThat(analyses).singleElement().satisfies((analysis) -> {
			assertThat(analysis.getDescription()).isEqualTo("The store is gone.");
			assertThat(analysis.getAction()).isEqualTo("Configure another one.");
			assertThat(analysis.getCause()).isSameAs(failure);
		});
		assertThat(failure).hasMessage("The store is gone. Configure another one.");
	}

	@SuppressWarnings("serial")
	private static final class Invalid extends InvalidFeatureException {

		Invalid(String description, String action) {
			super(description, action, null);
		}

	}

}
