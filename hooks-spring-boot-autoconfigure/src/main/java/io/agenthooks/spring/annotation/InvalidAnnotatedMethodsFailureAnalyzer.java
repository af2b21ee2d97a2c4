package io.agenthooks.spring.annotation;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class InvalidAnnotatedMethodsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAnnotatedMethodsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidAnnotatedMethodsException cause) {
		List<AnnotatedMethodProblem> problems = cause.getProblems();
		String description = (problems.size() == 1) ? "A method that is annotated as a hook has a mistake:\n\n"
				: "Methods that are annotated as hooks have %d mistakes:\n\n".formatted(problems.size());
		return new FailureAnalysis(description + numbered(problems),
				"Correct the methods. The application does not start without the hooks that it asks for.", cause);
	}

	private static String numbered(List<AnnotatedMethodProblem> problems) {
		return IntStream.range(0, problems.size()).mapToObj((i) -> {
			AnnotatedMethodProblem problem = problems.get(i);
			return "%d. %s%n   %s.%n   %s".formatted(i + 1, problem.method(), problem.message(), problem.action());
		}).collect(Collectors.joining("\n"));
	}

}
