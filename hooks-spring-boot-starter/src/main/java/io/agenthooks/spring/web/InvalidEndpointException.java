package io.agenthooks.spring.web;

/**
 * Endpoints of ours would be open to everybody, or usable by nobody.
 *
 * @since 0.1.0
 */
public final class InvalidEndpointException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Create an exception.
	 * @param description what is wrong
	 * @param action what to write instead
	 */
	public InvalidEndpointException(String description, String action) {
		super(description);
		this.action = action;
	}

	/**
	 * What to write instead.
	 * @return the action
	 */
	public String getAction() {
		return this.action;
	}

}
