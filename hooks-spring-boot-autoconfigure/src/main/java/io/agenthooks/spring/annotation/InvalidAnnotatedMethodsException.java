package io.agenthooks.spring.annotation;

import java.util.List;
import java.util.stream.Collectors;

final class InvalidAnnotatedMethodsException extends RuntimeException {

	private final transient List<AnnotatedMethodProblem> problems;

	InvalidAnnotatedMethodsException(List<AnnotatedMethodProblem> problems) {
		super(problems.stream()
			.map((problem) -> "%s %s.".formatted(problem.method(), problem.message()))
			.collect(Collectors.joining(" ", "Annotated methods cannot be hooks: ", "")));
		this.problems = List.copyOf(problems);
	}

	List<AnnotatedMethodProblem> getProblems() {
		return this.problems;
	}

}
