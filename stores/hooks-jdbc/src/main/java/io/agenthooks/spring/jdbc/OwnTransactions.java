package io.agenthooks.spring.jdbc;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.agenthooks.spring.external.QuestionsInFlight;

/**
 * Short transactions of their own, whatever transaction the tool or the answering person
 * is in.
 *
 * @since 0.1.0
 */
public final class OwnTransactions {

	private static final String H2_WRITE_DELAY = "select SETTING_VALUE from INFORMATION_SCHEMA.SETTINGS "
			+ "where SETTING_NAME = 'WRITE_DELAY'";

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/** A statement that takes too long is cancelled before its connection is given up. */
	private static final int NETWORK_MILLIS = 1_500;

	private static final int MAX_CAUSES = 20;

	private final Duration timeout;

	private final QuestionsInFlight inFlight = new QuestionsInFlight();

	private final JdbcTemplate template;

	private final JdbcClient client;

	private final TransactionTemplate reading;

	private final TransactionTemplate writing;

	/**
	 * Create transactions, of which each waits for at most 10 seconds.
	 * @param dataSource the database
	 */
	public OwnTransactions(DataSource dataSource) {
		this(dataSource, TIMEOUT);
	}

	/**
	 * Create transactions.
	 * @param dataSource the database
	 * @param timeout how long each waits for locks of the database, rounded up to
	 * seconds, as drivers count; half as long again for a database that does not even
	 * refuse. How long a connection is waited for is up to its pool.
	 */
	public OwnTransactions(DataSource dataSource, Duration timeout) {
		int seconds = (int) Math.max(1, timeout.plusSeconds(1).minusNanos(1).toSeconds());
		this.timeout = Duration.ofSeconds(seconds);
		DataSource bounded = new BoundedDataSource(dataSource, seconds * NETWORK_MILLIS);
		this.template = new JdbcTemplate(bounded);
		this.client = JdbcClient.create(this.template);
		JdbcTransactionManager transactions = new JdbcTransactionManager(bounded);
		this.reading = new TransactionTemplate(transactions);
		this.reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.reading.setTimeout(seconds);
		this.writing = new TransactionTemplate(transactions, this.reading);
		// Who waited for a lock has to see what the one before has done.
		this.writing.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	/**
	 * Return the longest wait of each for locks of the database.
	 * @return whole seconds
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Return the client that reads and writes within these transactions.
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
	 * Write in one transaction. Whether that outlives a crash is up to
	 * {@link #keepCommits()}.
	 * @param <T> what comes of it
	 * @param work what writes
	 * @return what came of it
	 * @throws DataAccessException if the database does not answer, or not in time
	 */
	public <T> T write(Supplier<T> work) {
		return in(this.writing, work);
	}

	/**
	 * Clears the interrupt meanwhile: pools refuse an interrupted thread, and H2 closes
	 * its file.
	 */
	private <T> T in(TransactionTemplate transaction, Supplier<T> work) {
		boolean interrupted = Thread.interrupted();
		try (QuestionsInFlight.Question question = this.inFlight.begin(this.timeout)) {
			try {
				T answer = QuietTransaction.execute(transaction, work);
				question.answered();
				return answer;
			}
			catch (CannotCreateTransactionException ex) {
				throw orTaken(ex, question);
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * A pool without a connection left says so in words of its own, and some say the same
	 * of a database that is away.
	 */
	private static CannotCreateTransactionException orTaken(CannotCreateTransactionException ex,
			QuestionsInFlight.Question question) {
		Throwable cause = ex;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
				return ex;
			}
			cause = cause.getCause();
		}
		return (question.isFailedBesideOthers()) ? new NoFreeConnectionException(ex) : ex;
	}

	/**
	 * Let what is committed outlive the application if that is killed. H2 writes to its
	 * file up to half a second after a commit unless {@code WRITE_DELAY} is 0; other
	 * databases need nothing.
	 * @return {@code false} if the user of the database has no right to change it
	 * @throws DataAccessException if the database does not answer
	 */
	public boolean keepCommits() {
		if (isLasting()) {
			return true;
		}
		try {
			return in(this.reading, () -> {
				this.template.execute("set write_delay 0");
				return true;
			});
		}
		catch (DataAccessException ex) {
			return false;
		}
	}

	private boolean isLasting() {
		boolean isFile = Boolean.TRUE.equals(this.template.execute((Connection connection) -> {
			DatabaseMetaData database = connection.getMetaData();
			return "H2".equals(database.getDatabaseProductName())
					&& !String.valueOf(database.getURL()).startsWith("jdbc:h2:mem:");
		}));
		return !isFile || this.client.sql(H2_WRITE_DELAY).query(String.class).list().contains("0");
	}

}
