package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.binding.InvalidFeatureException;

final class InvalidApprovalException extends InvalidFeatureException {

	private static final long serialVersionUID = 1L;

	InvalidApprovalException(String description, String action) {
		this(description, action, null);
	}

	InvalidApprovalException(String description, String action, @Nullable Throwable cause) {
		super(description, action, cause);
	}

}
