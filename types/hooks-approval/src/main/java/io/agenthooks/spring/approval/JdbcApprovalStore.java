package io.agenthooks.spring.approval;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.Sha256;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.toolcall.ApprovalScope;

/** Keeps questions in the table {@code agent_hooks_approval}, for all nodes. */
final class JdbcApprovalStore implements ApprovalStore {

	/** The version of the tables that this class knows. */
	static final int SCHEMA = 10;

	static final int PURGED_AT_ONCE = 500;

	static final Duration POLL = Duration.ofMillis(250);

	static final String COLUMNS = "select id, state, revision, fingerprint, request from agent_hooks_approval "
			+ "where application = ? and ";

	/**
	 * One asks at a time, so that no two ask the same or take the last place. The version
	 * is exactly one row.
	 */
	static final String LOCK = "select version from agent_hooks_approval_schema for update";

	/** A value that no row has. */
	private static final String NO_TOOL = "none";

	private static final Logger logger = LoggerFactory.getLogger(JdbcApprovalStore.class);

	private final OwnTransactions transactions;

	/** A digest of its name, by which it finds its own questions only. */
	private final String application;

	private final JdbcClient client;

	private final ApprovalWaits waits;

	private final SuspendedStore turns;

	private final DatabaseClock clock = new DatabaseClock(this::currentTime);

	private JdbcApprovalStore(OwnTransactions transactions, String application) {
		this.transactions = transactions;
		this.application = Sha256.hex(application);
		this.client = transactions.client();
		this.turns = new SuspendedStore(transactions, this.application);
		this.waits = new ApprovalWaits(POLL, this::revisions);
	}

	static JdbcApprovalStore open(DataSource dataSource, String application) {
		try {
			JdbcApprovalStore store = new JdbcApprovalStore(new OwnTransactions(dataSource), application);
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
		this.client.sql(COLUMNS + "1 = 0").param(this.application).query(JdbcApprovalStore::request).list();
		if (!this.transactions.keepCommits()) {
			throw InvalidApprovalStoreException.notLasting();
		}
	}

	@Override
	public Optional<ApprovalRequest> ask(ApprovalRequest asked, Bounds bounds) {
		KeptQuestion.checkId(asked.id());
		String line = KeptQuestion.write(asked);
		return this.transactions.write(() -> askLocked(asked, line, bounds));
	}

	private Optional<ApprovalRequest> askLocked(ApprovalRequest asked, String line, Bounds bounds) {
		this.client.sql(LOCK).query(Integer.class).list();
		Optional<ApprovalRequest> same = sameOrRoom(asked, bounds);
		if (same.isEmpty() || !same.get().id().equals(asked.id())) {
			return same;
		}
		this.client
			.sql("insert into agent_hooks_approval (application, id, open_key, session_key, fingerprint, state, "
					+ "revision, expires_at, changed_at, remembered_until, tool_key, request) "
					+ "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
			.params(Arrays.asList(this.application, asked.id(), asked.fingerprint(), Sha256.hex(asked.sessionId()),
					asked.fingerprint(), asked.state().name(), asked.revision(), utc(asked.expiresAt()),
					utc(asked.askedAt()), rememberedUntil(asked), toolKey(asked), line))
			.update();
		this.client
			.sql("insert into agent_hooks_approval_call (id, asked_key, run_key, changed_at) values (?, ?, ?, ?)")
			.params(asked.id(), asked.fingerprint(), (asked.runId() != null) ? Sha256.hex(asked.runId()) : "",
					utc(asked.askedAt()))
			.update();
		return Optional.of(asked);
	}

	@Override
	public Optional<ApprovalRequest> wouldAsk(ApprovalRequest asked, Bounds bounds) {
		return this.transactions.read(() -> sameOrRoom(asked, bounds));
	}

	private Optional<ApprovalRequest> sameOrRoom(ApprovalRequest asked, Bounds bounds) {
		Optional<ApprovalRequest> same = this.client.sql(COLUMNS + "open_key = ?")
			.params(this.application, asked.fingerprint())
			.query(JdbcApprovalStore::request)
			.optional();
		return (same.isPresent() || isTooMany(asked, bounds)) ? same : Optional.of(asked);
	}

	private boolean isTooMany(ApprovalRequest asked, Bounds bounds) {
		RowMapper<Boolean> compare = (row, number) -> row.getInt(1) >= bounds.inAll()
				|| row.getInt(2) >= bounds.inSession();
		return this.client
			.sql("select count(*), count(case when session_key = ? then 1 end) from agent_hooks_approval "
					+ "where application = ? and state = 'PENDING' and expires_at > ?")
			.params(Sha256.hex(asked.sessionId()), this.application, utc(asked.askedAt()))
			.query(compare)
			.single();
	}

	@Override
	public Optional<ApprovalRequest> find(String id) {
		if (!KeptQuestion.isId(id)) {
			return Optional.empty();
		}
		return this.transactions.read(() -> this.client.sql(COLUMNS + "id = ?")
			.params(this.application, id)
			.query(JdbcApprovalStore::request)
			.optional());
	}

	@Override
	public List<ApprovalRequest> pending(int limit) {
		return list("state = 'PENDING' order by expires_at, id fetch first ? rows only", limit);
	}

	@Override
	public List<ApprovalRequest> settled(int limit) {
		return list("state <> 'PENDING' order by changed_at desc, id fetch first ? rows only", limit);
	}

	@Override
	public List<ApprovalRequest> due(Instant now, int limit) {
		return list(
				"state in ('PENDING', 'APPROVED') and expires_at <= ? order by expires_at " + "fetch first ? rows only",
				utc(now), limit);
	}

	@Override
	public Optional<ApprovalRequest> remembered(String fingerprint, String toolKey, Instant now) {
		return this.transactions.read(() -> this.client
			.sql(COLUMNS
					+ "(fingerprint = ? or tool_key = ?) and state in ('CLAIMED', 'DENIED') and remembered_until > ? "
					+ "order by case when state = 'DENIED' then 0 else 1 end, changed_at desc fetch first 1 rows only")
			.params(this.application, fingerprint, (toolKey.isEmpty()) ? NO_TOOL : toolKey, utc(now))
			.query(JdbcApprovalStore::request)
			.optional());
	}

	private static String toolKey(ApprovalRequest request) {
		return (request.scope() == ApprovalScope.TOOL
				&& (request.state() == ApprovalState.APPROVED || request.state() == ApprovalState.CLAIMED))
						? request.choices().toolKey() : "";
	}

	@Override
	public List<ApprovalRequest> rememberedOf(String session, Instant now, int limit) {
		return list("session_key = ? and remembered_until > ? fetch first ? rows only", Sha256.hex(session), utc(now),
				limit);
	}

	/** Also if people decided in the last moment; long ago if nothing is remembered. */
	private static OffsetDateTime rememberedUntil(ApprovalRequest request) {
		Duration time = request.rememberFor();
		Instant until = (time != null && !ApprovalRules.isEnd(request.state())) ? request.expiresAt().plus(time)
				: request.rememberedUntil();
		return utc((until != null) ? until : Instant.EPOCH);
	}

	@Override
	public List<String> openOf(@Nullable String run, @Nullable String session, int limit) {
		String condition = (run != null) ? "id in (select id from agent_hooks_approval_call where run_key = ?)"
				: "session_key = ?";
		String key = Sha256.hex((run != null) ? run : (session != null) ? session : "");
		return this.transactions.read(() -> this.client
			.sql("select id from agent_hooks_approval where application = ? and state in ('PENDING', 'APPROVED') and "
					+ condition + " order by expires_at, id fetch first ? rows only")
			.params(this.application, key, limit)
			.query(String.class)
			.list()
			.stream()
			.map(String::valueOf)
			.toList());
	}

	/** A row that cannot be read must not hide the others. */
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
		return this.transactions.read(() -> {
			List<Object> all = new ArrayList<>(List.of(this.application));
			all.addAll(List.of(parameters));
			this.client.sql(COLUMNS + condition).params(all).query(add);
			return List.copyOf(requests);
		});
	}

	@Override
	public boolean replace(ApprovalRequest was, ApprovalRequest is, Instant now) {
		boolean replaced = this.transactions.write(() -> update(was, is, now));
		if (replaced) {
			this.waits.changed(is.id(), is.revision());
		}
		return replaced;
	}

	private boolean update(ApprovalRequest was, ApprovalRequest is, Instant now) {
		String key = (is.state().isOpen()) ? "open_key" : "null";
		return this.client.sql("update agent_hooks_approval set open_key = " + key
				+ ", fingerprint = ?, state = ?, revision = ?, "
				+ "changed_at = ?, remembered_until = ?, tool_key = ?, request = ? where application = ? and id = ? "
				+ "and revision = ?")
			.params(Arrays.asList(is.fingerprint(), is.state().name(), is.revision(), utc(now), rememberedUntil(is),
					toolKey(is), KeptQuestion.write(is), this.application, was.id(), was.revision()))
			.update() == 1;
	}

	@Override
	public void await(String id, int revision, Duration atMost) throws InterruptedException {
		this.waits.await(id, revision, atMost);
	}

	private Map<String, Integer> revisions(Set<String> ids) {
		Map<String, Integer> revisions = new HashMap<>();
		RowCallbackHandler put = (row) -> revisions.put(row.getString(1), row.getInt(2));
		return this.transactions.read(() -> {
			this.client
				.sql("select id, revision from agent_hooks_approval where application = :application "
						+ "and id in (:ids)")
				.param("application", this.application)
				.param("ids", ids)
				.query(put);
			return revisions;
		});
	}

	@Override
	public Clock clock() {
		return this.clock;
	}

	private Instant currentTime() {
		return this.transactions.read(() -> this.client.sql("select current_timestamp")
			.query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
			.single());
	}

	JdbcOwners owners() {
		return new JdbcOwners(this.transactions);
	}

	@Override
	public SuspendedStore suspended() {
		return this.turns;
	}

	@Override
	public boolean purge(Instant before) {
		int purged = this.transactions.write(() -> purge(this.client, "agent_hooks_approval",
				"(state not in ('PENDING', 'APPROVED') or expires_at < :before)", before));
		logger.debug("Removed {} old questions", purged);
		return this.turns.purge(before) || purged == PURGED_AT_ONCE;
	}

	/**
	 * The oldest first: not all, which would keep locks for long, and none that another
	 * node is removing.
	 */
	static int purge(JdbcClient client, String table, String condition, Instant before) {
		List<String> ids = client
			.sql("select id from %s where changed_at < :before and %s order by changed_at fetch first %d rows only "
				.formatted(table, condition, PURGED_AT_ONCE) + "for update skip locked")
			.param("before", utc(before))
			.query(String.class)
			.list()
			.stream()
			.map(String::valueOf)
			.toList();
		return (ids.isEmpty()) ? 0
				: client.sql("delete from %s where id in (:ids)".formatted(table)).param("ids", ids).update();
	}

	@Override
	public void close() {
		this.waits.close();
	}

	static ApprovalRequest request(ResultSet row, int number) throws SQLException {
		return new KeptQuestion(row.getString("id"), row.getString("state"), row.getInt("revision"),
				row.getString("fingerprint"), row.getString("request"))
			.read("the table agent_hooks_approval");
	}

	static OffsetDateTime utc(Instant time) {
		return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
	}

}
