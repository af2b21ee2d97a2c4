package io.agenthooks.spring.binding;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

final class InvalidHooksConfigurationFailureAnalyzer
		extends AbstractFailureAnalyzer<InvalidHooksConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidHooksConfigurationException cause) {
		List<Mistake> problems = cause.getProblems();
		String description = (problems.size() == 1) ? "The configuration of the hooks has a mistake:\n\n"
				: "The configuration of the hooks has %d mistakes:\n\n".formatted(problems.size());
		return new FailureAnalysis(description + numbered(problems),
				"Correct the configuration. The application does not start without the hooks that it asks for.", cause);
	}

	private static String numbered(List<Mistake> problems) {
		return IntStream.range(0, problems.size()).mapToObj((i) -> {
			Mistake problem = problems.get(i);
			return "%d. %s%n   %s%n   %s".formatted(i + 1, problem.place(), problem.sentence(), problem.action());
		}).collect(Collectors.joining("\n"));
	}

}
