package io.agenthooks.spring.assembly;

import io.agenthooks.spring.binding.InvalidFeatureException;

final class InvalidHookBeanException extends InvalidFeatureException {

	private static final long serialVersionUID = 1L;

	InvalidHookBeanException(String description, String action) {
		super(description, action, null);
	}

}
