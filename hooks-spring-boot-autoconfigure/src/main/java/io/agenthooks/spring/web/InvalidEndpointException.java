package io.agenthooks.spring.web;

import io.agenthooks.spring.binding.InvalidFeatureException;

/**
 * Endpoints of ours would be open to everybody, or usable by nobody.
 *
 * @since 0.1.0
 */
public final class InvalidEndpointException extends InvalidFeatureException {

	private static final long serialVersionUID = 1L;

	public InvalidEndpointException(String description, String action) {
		super(description, action, null);
	}

}
