package io.agenthooks.sample;

import java.util.List;

import org.springframework.http.HttpStatus;

/**
 * The agent has no answer, because a hook ended its run or its model cannot be asked.
 */
final class TurnFailedException extends RuntimeException {

	private final HttpStatus status;

	private final String reason;

	private final transient List<ToolCallReport> calls;

	TurnFailedException(HttpStatus status, String reason, List<ToolCallReport> calls, Throwable cause) {
		super(reason, cause);
		this.status = status;
		this.reason = reason;
		this.calls = calls;
	}

	HttpStatus getStatus() {
		return this.status;
	}

	String getReason() {
		return this.reason;
	}

	List<ToolCallReport> getCalls() {
		return this.calls;
	}

}
