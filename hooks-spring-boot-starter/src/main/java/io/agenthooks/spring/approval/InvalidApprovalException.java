package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;

/**
 * People cannot be asked as the configuration says, so the application must not start.
 */
final class InvalidApprovalException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	InvalidApprovalException(String description, String action) {
		this(description, action, null);
	}

	InvalidApprovalException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * What is wrong, and where.
	 */
	String getDescription() {
		return this.description;
	}

	/**
	 * What to do.
	 */
	String getAction() {
		return this.action;
	}

}
