package io.agenthooks.spring.approval;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.WarningThrottle;

/**
 * Tells other nodes which question changed, and learns it from them, with {@code NOTIFY}
 * and {@code LISTEN} of PostgreSQL. What is told is only the id of a question, which is
 * then read again. Nothing depends on it: what is not received is found by polling.
 * <p>
 * One thread listens on one connection of the pool, from the first wait for a question
 * until the application ends. A pooler between the two may take {@code LISTEN} and send
 * nothing, so the thread tells something to itself from time to time.
 */
final class PostgresSignals {

	static final String CHANNEL = "agent_hooks_approval";

	static final String THREAD = "hooks-approval-listen";

	/** How long the end of the application has to wait until the thread looks up. */
	private static final int LOOK_UP_MILLIS = 200;

	private static final long PROBE_EVERY = Duration.ofSeconds(30).toNanos();

	private static final long PROBE_TIMEOUT = Duration.ofSeconds(5).toNanos();

	/** Bounds waiting for a database that does not even refuse. */
	private static final int NETWORK_TIMEOUT_MILLIS = 15_000;

	private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

	private static final Duration FAREWELL = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(PostgresSignals.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final CountDownLatch closed = new CountDownLatch(1);

	private final DataSource dataSource;

	private final ApprovalWaits waits;

	private final boolean listens;

	private @Nullable Thread thread;

	/** Only for the thread that listens. */
	private Duration pause = FIRST_PAUSE;

	/**
	 * Create it. No connection is taken yet.
	 * @param waits is told what other nodes did
	 * @param listens whether there is a connection to listen on
	 */
	PostgresSignals(DataSource dataSource, ApprovalWaits waits, boolean listens) {
		this.dataSource = dataSource;
		this.waits = waits;
		this.listens = listens;
	}

	/**
	 * Whether a connection is one of the driver that can listen.
	 */
	static boolean canListen(Connection connection) throws SQLException {
		return connection.isWrapperFor(PGConnection.class);
	}

	/**
	 * Tell all nodes that a question changed.
	 * @return {@code true}
	 */
	boolean send(JdbcClient client, String id) {
		client.sql("select pg_notify(?, ?)").params(CHANNEL, id).query((row) -> {
		});
		return true;
	}

	/**
	 * Start to listen to other nodes, unless that was started before.
	 */
	synchronized void listen() {
		if (this.listens && this.thread == null && isOpen()) {
			Thread started = new Thread(this::run, THREAD);
			started.setDaemon(true);
			started.start();
			this.thread = started;
		}
	}

	private boolean isOpen() {
		return this.closed.getCount() > 0;
	}

	private void run() {
		try {
			while (isOpen()) {
				listenUntilFailure();
				boolean unused = this.closed.await(this.pause.toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		catch (InterruptedException ex) {
			logger.debug("No thread listens for decisions of other nodes any more");
		}
	}

	private void listenUntilFailure() {
		try (Connection connection = this.dataSource.getConnection()) {
			listen(connection);
		}
		catch (SQLException | RuntimeException ex) {
			if (isOpen()) {
				this.warnings.warn("Decisions of other nodes are found only by polling, until the database can be "
						+ "listened to again (LISTEN): " + describe(ex));
				this.pause = min(this.pause.multipliedBy(2), LONGEST_PAUSE);
			}
		}
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/**
	 * Without its text, which may be the driver's and quote an address.
	 */
	private static String describe(Exception ex) {
		if (ex instanceof SilentException) {
			return "it sends nothing, as behind a pooler that shares connections by transactions";
		}
		String name = ex.getClass().getName();
		return (ex instanceof SQLException sql && sql.getSQLState() != null)
				? name + " with SQLState " + sql.getSQLState() : name;
	}

	private void listen(Connection connection) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		int timeout = connection.getNetworkTimeout();
		try {
			connection.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MILLIS);
			connection.setAutoCommit(true);
			execute(connection, "listen " + CHANNEL);
			listen(connection, connection.unwrap(PGConnection.class));
		}
		finally {
			giveBack(connection, autoCommit, timeout);
		}
	}

	/**
	 * A connection that listens must not return to the pool.
	 */
	private static void giveBack(Connection connection, boolean autoCommit, int timeout) throws SQLException {
		try {
			execute(connection, "unlisten " + CHANNEL);
			connection.setAutoCommit(autoCommit);
			connection.setNetworkTimeout(Runnable::run, timeout);
		}
		catch (SQLException ex) {
			logger.trace("The connection is broken", ex);
			connection.abort(Runnable::run);
		}
	}

	private void listen(Connection connection, PGConnection postgres) throws SQLException {
		boolean first = true;
		while (isOpen()) {
			String probe = UUID.randomUUID().toString();
			execute(connection, "select pg_notify('%s', '%s')".formatted(CHANNEL, probe));
			long start = System.nanoTime();
			boolean received = false;
			while (isOpen() && System.nanoTime() - start < PROBE_EVERY) {
				received |= listen(postgres.getNotifications(LOOK_UP_MILLIS), probe);
				if (received && first) {
					first = false;
					this.pause = FIRST_PAUSE;
					// Something may have been told before.
					this.waits.signalAll();
				}
				if (!received && System.nanoTime() - start > PROBE_TIMEOUT) {
					throw new SilentException();
				}
			}
		}
	}

	/**
	 * Forward notifications.
	 * @return whether the probe is among it
	 */
	private boolean listen(PGNotification @Nullable [] notifications, String probe) {
		boolean received = false;
		if (notifications != null) {
			for (PGNotification notification : notifications) {
				if (notification.getParameter().equals(probe)) {
					received = true;
				}
				else {
					this.waits.signal(notification.getParameter());
				}
			}
		}
		return received;
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/**
	 * Give the connection back.
	 */
	void close() {
		Thread ended;
		synchronized (this) {
			this.closed.countDown();
			ended = this.thread;
		}
		if (ended != null) {
			try {
				ended.join(FAREWELL.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Nothing came back.
	 */
	private static final class SilentException extends SQLException {

		private static final long serialVersionUID = 1L;

	}

}
