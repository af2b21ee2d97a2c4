package io.agenthooks.chain;

import java.util.concurrent.CancellationException;

/**
 * Thrown by what stands around a hook if the hook cannot be asked, and that is not the
 * fault of the hook, for example because the application is shutting down. It counts as a
 * denial of the hook, so no mode lets the call pass.
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
