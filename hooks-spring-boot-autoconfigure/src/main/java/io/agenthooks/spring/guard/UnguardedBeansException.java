package io.agenthooks.spring.guard;

import java.util.List;

/**
 * Beans that run tools, ask models or begin runs escaped the guard, so the application
 * must not start.
 *
 * @since 0.1.0
 */
public final class UnguardedBeansException extends RuntimeException {

	private final List<String> beans;

	public UnguardedBeansException(List<String> beans) {
		super("Calls through these beans would not pass the hooks: " + String.join(", ", beans));
		this.beans = List.copyOf(beans);
	}

	List<String> getBeans() {
		return this.beans;
	}

}
