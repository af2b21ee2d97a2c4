package io.agenthooks.spring.autoconfigure;

import java.util.List;

/**
 * Executors of tools escaped the guard, so the application must not start.
 */
final class UnguardedToolExecutorException extends RuntimeException {

	private final List<String> executors;

	UnguardedToolExecutorException(List<String> executors) {
		super("Calls of these executors of tools would not pass the hooks: " + String.join(", ", executors));
		this.executors = List.copyOf(executors);
	}

	List<String> getExecutors() {
		return this.executors;
	}

}
