package io.agenthooks.chain;

import java.util.concurrent.CancellationException;

/**
 * A hook cannot be asked, which is not its fault, for example because the application is
 * shutting down. It counts as a denial of the hook, so no mode lets the call pass.
 *
 * @since 0.1.0
 */
public final class NotAskedException extends CancellationException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	public NotAskedException(String reason) {
		super(reason);
		this.reason = reason;
	}

	String reason() {
		return this.reason;
	}

}
