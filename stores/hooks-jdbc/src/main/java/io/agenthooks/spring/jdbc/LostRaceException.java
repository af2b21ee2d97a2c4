package io.agenthooks.spring.jdbc;

/** Rolls a transaction back, since another call made or removed a key meanwhile. */
final class LostRaceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	LostRaceException() {
		super("Another call was quicker", null, false, false);
	}

}
