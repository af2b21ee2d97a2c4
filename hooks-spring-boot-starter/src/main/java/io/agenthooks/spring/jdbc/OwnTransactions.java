package io.agenthooks.spring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Short transactions of their own, whatever transaction the tool or the answering person
 * is in.
 *
 * @since 0.1.0
 */
public final class OwnTransactions {

	/** Bounds waiting for locks of the database. */
	private static final int TIMEOUT_SECONDS = 10;

	/** Bounds waiting for a database that does not even refuse. */
	private static final int NETWORK_TIMEOUT_MILLIS = 15_000;

	private static final Logger logger = LoggerFactory.getLogger(OwnTransactions.class);

	private final JdbcTemplate template;

	private final JdbcClient client;

	private final TransactionTemplate reading;

	private final TransactionTemplate writing;

	private final DurableCommits commits;

	/**
	 * Create transactions.
	 * @param dataSource the database
	 * @throws DataAccessException if the database does not answer
	 */
	public OwnTransactions(DataSource dataSource) {
		this.template = new JdbcTemplate(dataSource);
		this.client = JdbcClient.create(this.template);
		JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
		this.reading = new TransactionTemplate(transactions);
		this.reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.reading.setTimeout(TIMEOUT_SECONDS);
		this.writing = new TransactionTemplate(transactions, this.reading);
		// Who waited for a lock has to see what the one before has done.
		this.writing.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.commits = DurableCommits.of(this.template);
	}

	/**
	 * What to read and write with, within these transactions.
	 * @return the client
	 */
	public JdbcClient client() {
		return this.client;
	}

	/**
	 * Read in one transaction.
	 * @param <T> what is read
	 * @param work what reads
	 * @return what was read
	 * @throws DataAccessException if the database does not answer, or not in time
	 */
	public <T> T read(Supplier<T> work) {
		return in(this.reading, work);
	}

	/**
	 * Write in one transaction. What it wrote is still there after a crash only when it
	 * is {@linkplain #flush() flushed}.
	 * @param <T> what comes of it
	 * @param work what writes
	 * @return what came of it
	 * @throws DataAccessException if the database does not answer, or not in time
	 */
	public <T> T write(Supplier<T> work) {
		return in(this.writing, work);
	}

	/**
	 * Clears the interrupt of the thread meanwhile: pools refuse an interrupted thread,
	 * and H2 closes its file under it.
	 */
	private <T> T in(TransactionTemplate transaction, Supplier<T> work) {
		boolean interrupted = Thread.interrupted();
		try {
			return Objects.requireNonNull(transaction.execute((status) -> {
				this.template.execute(OwnTransactions::boundNetwork);
				return work.get();
			}));
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Until the end of the transaction: the connection is the application's.
	 */
	private static boolean boundNetwork(Connection connection) {
		try {
			int before = connection.getNetworkTimeout();
			if (before <= 0 || before > NETWORK_TIMEOUT_MILLIS) {
				connection.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MILLIS);
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCompletion(int status) {
						setNetworkTimeout(connection, before);
					}
				});
			}
			return true;
		}
		catch (SQLException ex) {
			logger.trace("The database has no timeout for its network", ex);
			return false;
		}
	}

	private static void setNetworkTimeout(Connection connection, int millis) {
		try {
			connection.setNetworkTimeout(Runnable::run, millis);
		}
		catch (SQLException ex) {
			logger.trace("The connection is broken", ex);
		}
	}

	/**
	 * Write what is committed, in a transaction of its own: that of the application may
	 * be open, or broken.
	 * @throws DataAccessException if that fails
	 */
	public void flush() {
		if (this.commits.isDelayed()) {
			boolean unused = in(this.reading, () -> {
				this.commits.flush();
				return true;
			});
		}
	}

}
