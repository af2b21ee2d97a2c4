package io.agenthooks.spring.binding;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The configuration of the hooks has mistakes, so the application must not start.
 */
final class InvalidHooksConfigurationException extends RuntimeException {

	private final transient List<ConfigProblem> problems;

	InvalidHooksConfigurationException(List<ConfigProblem> problems) {
		super(problems.stream()
			.map((problem) -> problem.place() + ": " + problem.sentence())
			.collect(Collectors.joining(" ", "The configuration of the hooks has mistakes: ", "")));
		this.problems = List.copyOf(problems);
	}

	List<ConfigProblem> getProblems() {
		return this.problems;
	}

}
