package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.SafeText;
import io.agenthooks.Sha256;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurn.Status;

/**
 * Keeps in the table {@code agent_hooks_approval_turn} how far turns went on by
 * themselves, and lets one node at a time go on with each. Who has claimed a turn has it
 * until the lease is over, by the clock of the database, unless it was ended meanwhile.
 */
final class ContinuationStore {

	/** The number of continuations in place of one, of a turn that goes on by hand. */
	static final int BY_HAND = -1;

	private static final String NONE = "NONE";

	private static final String FREE = "(progress = 'WAITING' and (lease_until is null or lease_until <= current_timestamp)"
			+ " or progress = 'RUNNING' and lease_until <= current_timestamp)";

	private static final String MINE = " where id = ? and owner = ? and progress = 'RUNNING' "
			+ "and lease_until > current_timestamp";

	private static final Logger logger = LoggerFactory.getLogger(ContinuationStore.class);

	private final OwnTransactions transactions;

	private final String application;

	private final JdbcClient client;

	ContinuationStore(OwnTransactions transactions, String application) {
		this.transactions = transactions;
		this.application = application;
		this.client = transactions.client();
	}

	static String progressOf(int continuations) {
		return (continuations == BY_HAND) ? NONE : Status.WAITING.name();
	}

	Optional<ContinuedTurn> find(String question) {
		return this.transactions.read(() -> this.client
			.sql("select t.progress, t.answer from agent_hooks_approval_turn t join agent_hooks_approval_call c "
					+ "on c.turn_id = t.id join agent_hooks_approval q on q.id = c.id "
					+ "where q.application = ? and c.id = ? and t.progress <> ?")
			.params(this.application, question, NONE)
			.query((row, number) -> turnOf(question, row.getString(1), row.getString(2)))
			.optional());
	}

	private static ContinuedTurn turnOf(String question, String progress, @Nullable String json) {
		try {
			Status status = Status.valueOf(progress);
			return (json != null) ? TurnJson.readContinued(status, json)
					: new ContinuedTurn(status, null, null, List.of());
		}
		catch (IllegalArgumentException | InvalidJsonException ex) {
			throw new IllegalStateException(
					"The answer of the turn of '%s' in the table agent_hooks_approval_turn cannot be read"
						.formatted(SafeText.name(question)));
		}
	}

	/** {@code null} if nobody has to go on, or another does. */
	@Nullable Claim claim(String question, String owner, Instant until) {
		String turn = this.transactions.read(() -> this.client
			.sql("select c.turn_id from agent_hooks_approval_call c join agent_hooks_approval q on q.id = c.id "
					+ "where q.application = ? and c.id = ? and c.turn_id is not null")
			.params(this.application, question)
			.query(String.class)
			.optional()
			.orElse(""));
		boolean claimed = !turn.isEmpty() && this.transactions.write(() -> this.client
			.sql("update agent_hooks_approval_turn set progress = 'RUNNING', owner = ?, lease_until = ?, "
					+ "attempts = attempts + 1 where id = ? and " + FREE)
			.params(owner, JdbcApprovalStore.utc(until), turn)
			.update() == 1);
		return (claimed) ? this.transactions.read(() -> this.client
			.sql("select continuations, attempts, calls from agent_hooks_approval_turn where id = ?")
			.param(turn)
			.query((row, number) -> new Claim(turn, owner, row.getInt(1), row.getInt(2), row.getInt(3)))
			.single()) : null;
	}

	boolean renew(Claim claim, Instant until) {
		return update(claim, "lease_until = ?", JdbcApprovalStore.utc(until));
	}

	/**
	 * The agent cannot go on from the start again; {@code false} if the tool must not
	 * run.
	 */
	boolean beginTool(Claim claim, Instant until) {
		return update(claim, "calls = calls + 1, lease_until = ?", JdbcApprovalStore.utc(until));
	}

	boolean release(Claim claim, boolean tried, Instant next) {
		return update(claim, "progress = 'WAITING', owner = null, attempts = attempts - ?, lease_until = ?",
				(tried) ? 0 : 1, JdbcApprovalStore.utc(next));
	}

	boolean finish(Claim claim, ContinuedTurn end, Instant now) {
		return update(claim, "progress = ?, answer = ?, owner = null, changed_at = ?", end.status().name(),
				TurnJson.write(end), JdbcApprovalStore.utc(now));
	}

	private boolean update(Claim claim, String change, Object... values) {
		List<Object> all = new ArrayList<>(List.of(values));
		all.add(claim.turn());
		all.add(claim.owner());
		return this.transactions.write(() -> this.client.sql("update agent_hooks_approval_turn set " + change + MINE)
			.params(all)
			.update() == 1);
	}

	List<String> due(int limit) {
		return this.transactions.read(() -> this.client
			.sql("select c.id from agent_hooks_approval_call c join agent_hooks_approval q on q.id = c.id "
					+ "join agent_hooks_approval_turn t on t.id = c.turn_id where q.application = ? and " + FREE
					+ " and q.state <> 'PENDING' and (c.reply is null or not exists (select 1 from "
					+ "agent_hooks_approval_call o join agent_hooks_approval p on p.id = o.id "
					+ "where o.turn_id = t.id and p.state = 'PENDING')) order by t.changed_at fetch first ? rows only")
			.params(this.application, limit)
			.query(String.class)
			.list()
			.stream()
			.map(String::valueOf)
			.toList());
	}

	/** A question that cannot be read must not hide the others. */
	private List<ApprovalRequest> unfinishedOf(@Nullable String run, @Nullable String session, int limit) {
		String key = Sha256.hex((run != null) ? run : (session != null) ? session : "");
		List<ApprovalRequest> requests = new ArrayList<>();
		RowCallbackHandler add = (row) -> {
			try {
				requests.add(JdbcApprovalStore.request(row, 0));
			}
			catch (IllegalStateException ex) {
				logger.warn(ex.getMessage());
			}
		};
		return this.transactions.read(() -> {
			this.client
				.sql("select q.id, q.state, q.revision, q.fingerprint, q.request from agent_hooks_approval q "
						+ "join agent_hooks_approval_call c on c.id = q.id "
						+ "join agent_hooks_approval_turn t on t.id = c.turn_id where q.application = ? "
						+ "and t.progress in ('WAITING', 'RUNNING') and "
						+ ((run != null) ? "c.run_key = ?" : "q.session_key = ?") + " fetch first ? rows only")
				.params(this.application, key, limit)
				.query(add);
			return List.copyOf(requests);
		});
	}

	private void end(String question, ContinuedTurn end, Instant now) {
		boolean unused = this.transactions.write(() -> this.client
			.sql("update agent_hooks_approval_turn set progress = ?, answer = ?, owner = null, changed_at = ? "
					+ "where progress in ('WAITING', 'RUNNING') "
					+ "and id in (select turn_id from agent_hooks_approval_call where id = ?)")
			.params(end.status().name(), TurnJson.write(end), JdbcApprovalStore.utc(now), question)
			.update() > 0);
	}

	/** End the turns of a run, or of a session if no run is given. */
	void endAll(@Nullable String run, @Nullable String session, Predicate<ApprovalRequest> which, int limit,
			Instant now) {
		ContinuedTurn end = new ContinuedTurn(Status.ENDED, null, "The run or the session was ended.", List.of());
		unfinishedOf(run, session, limit).stream().filter(which).forEach((request) -> end(request.id(), end, now));
	}

	record Claim(String turn, String owner, int continuations, int attempts, int calls) {
	}

}
