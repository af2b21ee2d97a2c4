package io.agenthooks.spring.jdbc;

import org.springframework.transaction.CannotCreateTransactionException;

/**
 * A transaction that got no connection while others were under way. How many there are
 * may be up to the agent, so it does not tell that the database is away.
 *
 * @since 0.1.0
 */
public final class NoFreeConnectionException extends CannotCreateTransactionException {

	private static final long serialVersionUID = 1L;

	NoFreeConnectionException(CannotCreateTransactionException failure) {
		super("No connection, and other transactions are under way", failure);
	}

}
