package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.QuietTransaction;

/**
 * Keeps records in the table {@code hooks_audit}. It never updates or deletes, so the
 * application needs no right to do so.
 */
final class JdbcSink implements AuditSink {

	private static final String INSERT = "insert into hooks_audit (node, record_number, recorded_at, kind, line) values ";

	private static final String ROW = "(?, ?, ?, ?, ?)";

	private static final String SELECT = "select node, record_number, line from hooks_audit "
			+ "order by node, record_number";

	private static final int FETCH_SIZE = 1_000;

	/** A batch may be large, and the same one comes again until it is written. */
	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private final DataSource dataSource;

	private final Duration timeout;

	private @Nullable OwnTransactions transactions;

	private boolean uncertain;

	JdbcSink(DataSource dataSource) {
		this(dataSource, TIMEOUT);
	}

	JdbcSink(DataSource dataSource, Duration timeout) {
		this.dataSource = dataSource;
		this.timeout = timeout;
	}

	private OwnTransactions transactions() {
		OwnTransactions made = this.transactions;
		if (made == null) {
			made = new OwnTransactions(this.dataSource, this.timeout);
			keepCommits(made);
			this.transactions = made;
		}
		return made;
	}

	@Override
	public @Nullable String lastLine(String node) {
		OwnTransactions transactions = transactions();
		return transactions
			.read(() -> transactions.client()
				.sql("select line from hooks_audit where node = :node order by record_number desc "
						+ "fetch first 1 rows only")
				.param("node", node)
				.query(String.class)
				.optional())
			.orElse(null);
	}

	@Override
	public void write(List<AuditRecord> records) throws InterruptedException {
		if (Thread.currentThread().isInterrupted()) {
			throw new InterruptedException("Nobody waits for this any more");
		}
		OwnTransactions transactions = transactions();
		List<AuditRecord> missing = (this.uncertain) ? missing(records, transactions) : records;
		this.uncertain = true;
		if (!missing.isEmpty()) {
			int unused = transactions.write(() -> insert(missing, transactions.client()));
		}
		this.uncertain = false;
	}

	/**
	 * One statement, and no batch: of a batch that fails, the driver of PostgreSQL has
	 * the values in its message, which pools write into the log.
	 */
	private static int insert(List<AuditRecord> records, JdbcClient client) {
		String rows = String.join(", ", Collections.nCopies(records.size(), ROW));
		return client.sql(INSERT + rows)
			.params(records.stream()
				.flatMap((record) -> Stream.of(record.node(), record.number(), record.time().atOffset(ZoneOffset.UTC),
						record.kind(), record.line()))
				.toList())
			.update();
	}

	private static void keepCommits(OwnTransactions transactions) {
		if (!transactions.keepCommits()) {
			throw new InvalidAuditException(
					"The user of the H2 database has no right to 'set write_delay', so records would be lost if the "
							+ "application is killed.",
					"Add ';WRITE_DELAY=0' to the address of the database, or let the user be an admin of it.");
		}
	}

	/** A transaction of which nobody knows how it ended may have been committed. */
	private static List<AuditRecord> missing(List<AuditRecord> records, OwnTransactions transactions) {
		Map<Long, String> kept = transactions.read(() -> {
			Map<Long, String> found = new HashMap<>();
			RowCallbackHandler keep = (row) -> found.put(row.getLong(1), row.getString(2));
			transactions.client()
				.sql("select record_number, line from hooks_audit where node = :node and record_number >= :first")
				.param("node", records.get(0).node())
				.param("first", records.get(0).number())
				.query(keep);
			return found;
		});
		for (AuditRecord record : records) {
			String line = kept.get(record.number());
			if (line != null && !line.equals(record.line())) {
				throw new IllegalStateException(
						"Another application writes the audit of node '%s'. Give each a 'hooks.audit.node' of its own."
							.formatted(record.node()));
			}
		}
		return records.stream().filter((record) -> Objects.isNull(kept.get(record.number()))).toList();
	}

	void read(AuditFiles.LineReader reader) throws IOException {
		try {
			JdbcTemplate streaming = new JdbcTemplate(this.dataSource);
			streaming.setFetchSize(FETCH_SIZE);
			TransactionTemplate reading = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
			reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			reading.setReadOnly(true);
			boolean unused = QuietTransaction.execute(reading,
					() -> Boolean.TRUE.equals(streaming.query(SELECT, (ResultSet rows) -> {
						readAll(rows, reader);
						return true;
					})));
		}
		catch (UncheckedIOException ex) {
			throw ex.getCause();
		}
		catch (DataAccessException | TransactionException ex) {
			throw new IOException("The table hooks_audit cannot be read: " + ex.getClass().getSimpleName(), ex);
		}
	}

	private static void readAll(ResultSet rows, AuditFiles.LineReader reader) throws SQLException {
		try {
			boolean more = true;
			while (more && rows.next()) {
				more = reader.accept(rows.getString(3), "hooks_audit/" + rows.getString(1) + ":" + rows.getLong(2),
						true);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String toString() {
		return "the table hooks_audit";
	}

}
