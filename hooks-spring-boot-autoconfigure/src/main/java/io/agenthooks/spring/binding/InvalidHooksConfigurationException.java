package io.agenthooks.spring.binding;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

final class InvalidHooksConfigurationException extends RuntimeException {

	private final transient List<Mistake> problems;

	InvalidHooksConfigurationException(List<Mistake> problems) {
		super(problems.stream()
			.map((problem) -> problem.place() + ": " + problem.sentence())
			.collect(Collectors.joining(" ", "The configuration of the hooks has mistakes: ", "")));
		this.problems = List.copyOf(problems);
	}

	List<Mistake> getProblems() {
		return this.problems;
	}

	static @Nullable InvalidHooksConfigurationException in(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InvalidHooksConfigurationException invalid) {
				return invalid;
			}
		}
		return null;
	}

}
