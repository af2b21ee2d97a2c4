package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.agenthooks.SafeText;
import io.agenthooks.spring.jdbc.LastingCommits;
import io.agenthooks.spring.json.InvalidJsonException;

/**
 * Keeps questions in the table {@code agent_hooks_approval} of a database, for all nodes
 * of the application. Each step is a short transaction of its own, whatever transaction
 * the tool or the answering person is in.
 */
final class JdbcApprovalStore implements ApprovalStore {

	/** The version of the tables that this class knows. */
	static final int SCHEMA = 1;

	/** Nobody can judge a longer question, and all of it is written with each step. */
	static final int MAX_LENGTH = 4 * 1024 * 1024;

	private static final Duration POLL = Duration.ofMillis(250);

	/** Bounds waiting for locks of the database. */
	private static final int TIMEOUT_SECONDS = 10;

	/** Bounds waiting for a database that does not even refuse. */
	private static final int NETWORK_TIMEOUT_MILLIS = 15_000;

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

	private static final String COLUMNS = "select id, state, revision, fingerprint, request from agent_hooks_approval ";

	/**
	 * One asks at a time, so that no two ask the same and no two take the last place. It
	 * is the row of the schema's version since there is exactly one.
	 */
	private static final String LOCK = "select version from agent_hooks_approval_schema for update";

	private static final Logger logger = LoggerFactory.getLogger(JdbcApprovalStore.class);

	private final JdbcTemplate template;

	private final JdbcClient client;

	private final TransactionTemplate reading;

	private final TransactionTemplate writing;

	private final LastingCommits commits;

	private final ApprovalWaits waits = new ApprovalWaits(POLL, this::revisions);

	private JdbcApprovalStore(DataSource dataSource) {
		this.template = new JdbcTemplate(dataSource);
		this.client = JdbcClient.create(this.template);
		JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
		this.reading = new TransactionTemplate(transactions);
		this.reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.reading.setTimeout(TIMEOUT_SECONDS);
		this.writing = new TransactionTemplate(transactions, this.reading);
		// Who waited for a lock has to see what the one before has done.
		this.writing.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.commits = LastingCommits.of(this.template);
	}

	/**
	 * Open the tables.
	 * @throws InvalidApprovalStoreException if they are not there, or not those that this
	 * class knows
	 */
	static JdbcApprovalStore open(DataSource dataSource) {
		try {
			JdbcApprovalStore store = new JdbcApprovalStore(dataSource);
			store.check();
			return store;
		}
		catch (DataAccessException ex) {
			throw InvalidApprovalStoreException.unreachable(ex);
		}
	}

	private void check() {
		List<Integer> versions = this.client.sql("select version from agent_hooks_approval_schema")
			.query((row, number) -> row.getInt(1))
			.list();
		if (!versions.equals(List.of(SCHEMA))) {
			throw InvalidApprovalStoreException.otherSchema(versions);
		}
		this.template.query(COLUMNS + "where 1 = 0", (RowCallbackHandler) (row) -> {
		});
		try {
			flush();
		}
		catch (DataAccessException ex) {
			throw InvalidApprovalStoreException.notLasting(ex);
		}
	}

	@Override
	public Optional<ApprovalRequest> ask(ApprovalRequest asked, Bounds bounds) {
		checkId(asked.id());
		String line = write(asked);
		Optional<ApprovalRequest> kept = in(this.writing, () -> askLocked(asked, line, bounds));
		flush();
		return kept;
	}

	private Optional<ApprovalRequest> askLocked(ApprovalRequest asked, String line, Bounds bounds) {
		this.client.sql(LOCK).query(Integer.class).list();
		Optional<ApprovalRequest> same = this.client.sql(COLUMNS + "where open_key = ?")
			.param(asked.fingerprint())
			.query(JdbcApprovalStore::request)
			.optional();
		if (same.isPresent()) {
			if (!ApprovalRules.isDue(same.get(), asked.askedAt())) {
				return same;
			}
			if (!update(same.get(), ApprovalRules.expired(same.get(), asked.askedAt()), asked.askedAt())) {
				// Somebody answered between the two statements, so its key is free.
				logger.debug("The question '{}' was settled meanwhile", same.get().id());
			}
		}
		if (isTooMany(asked, bounds)) {
			return Optional.empty();
		}
		this.client
			.sql("insert into agent_hooks_approval (id, open_key, session_key, fingerprint, state, revision, "
					+ "expires_at, changed_at, request) values (?, ?, ?, ?, ?, ?, ?, ?, ?)")
			.params(List.of(asked.id(), asked.fingerprint(), sha256(asked.sessionId()), asked.fingerprint(),
					asked.state().name(), asked.revision(), utc(asked.expiresAt()), utc(asked.askedAt()), line))
			.update();
		return Optional.of(asked);
	}

	private boolean isTooMany(ApprovalRequest asked, Bounds bounds) {
		RowMapper<Boolean> compare = (row, number) -> row.getInt(1) >= bounds.inAll()
				|| row.getInt(2) >= bounds.inSession();
		return this.client
			.sql("select count(*), count(case when session_key = ? then 1 end) from agent_hooks_approval "
					+ "where state = 'PENDING' and expires_at > ?")
			.params(sha256(asked.sessionId()), utc(asked.askedAt()))
			.query(compare)
			.single();
	}

	@Override
	public Optional<ApprovalRequest> find(String id) {
		if (!ID.matcher(id).matches()) {
			return Optional.empty();
		}
		return in(this.reading,
				() -> this.client.sql(COLUMNS + "where id = ?").param(id).query(JdbcApprovalStore::request).optional());
	}

	@Override
	public List<ApprovalRequest> pending(int limit) {
		return list("where state = 'PENDING' order by expires_at, id fetch first ? rows only", limit);
	}

	@Override
	public List<ApprovalRequest> settled(int limit) {
		return list("where state <> 'PENDING' order by changed_at desc, id fetch first ? rows only", limit);
	}

	@Override
	public List<ApprovalRequest> due(Instant now, int limit) {
		return list("where state in ('PENDING', 'APPROVED') and expires_at <= ? order by expires_at "
				+ "fetch first ? rows only", utc(now), limit);
	}

	@Override
	public Optional<ApprovalRequest> claimed(String fingerprint) {
		return in(this.reading,
				() -> this.client
					.sql(COLUMNS + "where fingerprint = ? and state = 'CLAIMED' order by changed_at desc "
							+ "fetch first 1 rows only")
					.param(fingerprint)
					.query(JdbcApprovalStore::request)
					.optional());
	}

	/**
	 * A row that cannot be read must not hide the others.
	 */
	private List<ApprovalRequest> list(String condition, Object... parameters) {
		List<ApprovalRequest> requests = new ArrayList<>();
		RowCallbackHandler add = (row) -> {
			try {
				requests.add(request(row, 0));
			}
			catch (IllegalStateException ex) {
				logger.warn(ex.getMessage());
			}
		};
		return in(this.reading, () -> {
			this.client.sql(COLUMNS + condition).params(parameters).query(add);
			return List.copyOf(requests);
		});
	}

	@Override
	public boolean replace(ApprovalRequest was, ApprovalRequest is, Instant now) {
		boolean replaced = in(this.writing, () -> update(was, is, now));
		if (replaced) {
			flush();
			this.waits.changed(is.id(), is.revision());
		}
		return replaced;
	}

	private boolean update(ApprovalRequest was, ApprovalRequest is, Instant now) {
		String key = (is.state().isOpen()) ? "open_key" : "null";
		return this.client
			.sql("update agent_hooks_approval set open_key = " + key + ", fingerprint = ?, state = ?, revision = ?, "
					+ "changed_at = ?, request = ? where id = ? and revision = ?")
			.params(List.of(is.fingerprint(), is.state().name(), is.revision(), utc(now), write(is), was.id(),
					was.revision()))
			.update() == 1;
	}

	@Override
	public void await(String id, int revision, Duration atMost) throws InterruptedException {
		this.waits.await(id, revision, atMost);
	}

	private Map<String, Integer> revisions(Set<String> ids) {
		Map<String, Integer> revisions = new HashMap<>();
		RowCallbackHandler put = (row) -> revisions.put(row.getString(1), row.getInt(2));
		return in(this.reading, () -> {
			this.client.sql("select id, revision from agent_hooks_approval where id in (:ids)")
				.param("ids", ids)
				.query(put);
			return revisions;
		});
	}

	@Override
	public void purge(Instant before) {
		in(this.writing,
				() -> this.client
					.sql("delete from agent_hooks_approval where changed_at < ? "
							+ "and (state not in ('PENDING', 'APPROVED') or expires_at < ?)")
					.params(utc(before), utc(before))
					.update());
	}

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public void close() {
		this.waits.close();
	}

	/**
	 * The interruption of a thread must not keep it from telling that nobody waits any
	 * more: pools refuse such a thread, and H2 closes its file under it.
	 */
	private <T> T in(TransactionTemplate transaction, Supplier<T> work) {
		boolean interrupted = Thread.interrupted();
		try {
			return Objects.requireNonNull(transaction.execute((status) -> {
				this.template.execute(JdbcApprovalStore::boundNetwork);
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
	 * In a transaction of its own: that of the application may be open, or broken.
	 */
	private void flush() {
		if (this.commits.isDelayed()) {
			boolean unused = in(this.reading, () -> {
				this.commits.flush();
				return true;
			});
		}
	}

	private static String write(ApprovalRequest request) {
		String line = ApprovalJson.write(request);
		if (line.length() > MAX_LENGTH) {
			throw new IllegalArgumentException(
					"The question is longer than the %d characters that are kept".formatted(MAX_LENGTH));
		}
		return line;
	}

	/**
	 * Read a row. What somebody changed by hand is no question any more, and above all no
	 * approval.
	 */
	private static ApprovalRequest request(ResultSet row, int number) throws SQLException {
		String id = row.getString("id");
		try {
			ApprovalRequest request = ApprovalJson.read(row.getString("request"));
			if (request.id().equals(id) && request.state().name().equals(row.getString("state"))
					&& request.revision() == row.getInt("revision")
					&& request.fingerprint().equals(row.getString("fingerprint"))) {
				return request;
			}
			throw unreadable(id, "its columns disagree");
		}
		catch (InvalidJsonException ex) {
			throw unreadable(id, "its 'request' " + ex.getMessage());
		}
	}

	private static IllegalStateException unreadable(String id, String why) {
		return new IllegalStateException(
				"The question '%s' in the table agent_hooks_approval cannot be read: %s. Find out who changed the row, and delete it."
					.formatted(SafeText.name(id), why));
	}

	private static void checkId(String id) {
		if (!ID.matcher(id).matches()) {
			throw new IllegalArgumentException("'id' must consist of 1 to 64 letters, digits, '-' and '_'");
		}
	}

	private static OffsetDateTime utc(Instant time) {
		return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
	}

	/**
	 * Sessions may be called anything of any length.
	 */
	private static String sha256(String text) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}
