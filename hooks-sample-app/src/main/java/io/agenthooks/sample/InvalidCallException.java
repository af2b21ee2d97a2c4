package io.agenthooks.sample;

import org.springframework.http.HttpStatus;

/** A body that is not a call. Nothing has run. */
final class InvalidCallException extends RuntimeException {

	private final HttpStatus status;

	private final String reason;

	InvalidCallException(HttpStatus status, String reason) {
		super(reason);
		this.status = status;
		this.reason = reason;
	}

	InvalidCallException(String reason) {
		this(HttpStatus.BAD_REQUEST, reason);
	}

	HttpStatus getStatus() {
		return this.status;
	}

	String getReason() {
		return this.reason;
	}

}
