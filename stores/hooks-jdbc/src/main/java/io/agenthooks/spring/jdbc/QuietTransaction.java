package io.agenthooks.spring.jdbc;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs work in a transaction of which nothing gets into the log if it fails. If the
 * connection broke, so that nothing can be rolled back, Spring would log the failure with
 * the message of the driver, which may quote what was to be written.
 *
 * @since 0.1.0
 */
public final class QuietTransaction {

	private QuietTransaction() {
	}

	/**
	 * Run work, and roll back what it has done if it fails.
	 * @param <T> what comes of it
	 * @param transaction what begins the transaction, and ends it
	 * @param work the work
	 * @return what came of it
	 * @throws TransactionException if the transaction cannot begin or end; if the work
	 * fails, its own failure is thrown
	 */
	public static <T> T execute(TransactionTemplate transaction, Supplier<T> work) {
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		AtomicReference<@Nullable T> done = new AtomicReference<>();
		try {
			transaction.executeWithoutResult((status) -> {
				try {
					done.set(work.get());
				}
				catch (RuntimeException | Error ex) {
					failure.set(ex);
					status.setRollbackOnly();
				}
			});
		}
		catch (RuntimeException ex) {
			if (failure.get() == null) {
				throw ex;
			}
			// The rollback failed as well: the connection is broken.
		}
		Throwable failed = failure.get();
		if (failed instanceof RuntimeException ex) {
			throw ex;
		}
		if (failed instanceof Error ex) {
			throw ex;
		}
		return Objects.requireNonNull(done.get());
	}

}
