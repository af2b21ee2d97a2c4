package io.agenthooks.spring.autoconfigure;

import java.util.List;

/**
 * Beans that run tools, or ask models, escaped the guard, so the application must not
 * start.
 */
final class UnguardedBeansException extends RuntimeException {

	private final List<String> beans;

	UnguardedBeansException(List<String> beans) {
		super("Calls through these beans would not pass the hooks: " + String.join(", ", beans));
		this.beans = List.copyOf(beans);
	}

	List<String> getBeans() {
		return this.beans;
	}

}
