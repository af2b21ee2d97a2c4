package io.agenthooks.spring.binding;

import org.jspecify.annotations.Nullable;

/**
 * A feature cannot be set up as the configuration asks for, so the application must not
 * start.
 *
 * @since 0.1.0
 */
public abstract class InvalidFeatureException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Create an exception.
	 * @param description what is wrong, and where
	 * @param action what to do
	 * @param cause what was thrown, or {@code null}
	 */
	protected InvalidFeatureException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	public final String getDescription() {
		return this.description;
	}

	public final String getAction() {
		return this.action;
	}

}
