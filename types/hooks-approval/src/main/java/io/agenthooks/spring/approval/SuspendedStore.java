package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.SafeText;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;

/**
 * Keeps turns, once and for all, and the results of their calls, each by itself: nodes
 * that resume two calls of one turn are not in each other's way, and the last one sees
 * all results.
 */
final class SuspendedStore {

	private static final String RESULT = "select turn_id, reply from agent_hooks_approval_call where id = ?";

	/** In place of the fingerprint by which a call that is made again finds its own. */
	private static final String RESUME_ONLY = "resume-only";

	private final OwnTransactions transactions;

	private final String application;

	private final JdbcClient client;

	private final ContinuationStore continuations;

	SuspendedStore(OwnTransactions transactions, String application) {
		this.transactions = transactions;
		this.application = application;
		this.client = transactions.client();
		this.continuations = new ContinuationStore(transactions, application);
	}

	ContinuationStore continuations() {
		return this.continuations;
	}

	/**
	 * Asked about exactly this call, also if people edited it since, and not yet claimed.
	 */
	Optional<ApprovalRequest> approved(String fingerprint) {
		return this.transactions.read(() -> this.client
			.sql(JdbcApprovalStore.COLUMNS + "state = 'APPROVED' and id in "
					+ "(select id from agent_hooks_approval_call where asked_key = ?) order by changed_at desc "
					+ "fetch first 1 rows only")
			.params(this.application, fingerprint)
			.query(JdbcApprovalStore::request)
			.optional());
	}

	/**
	 * The approval is had by resuming the turn alone: the same call made again asks anew.
	 */
	void resumeOnly(ApprovalRequest request) {
		boolean unused = this.transactions.write(() -> {
			this.client.sql("update agent_hooks_approval set open_key = null where application = ? and id = ?")
				.params(this.application, request.id())
				.update();
			return this.client.sql("update agent_hooks_approval_call set asked_key = ? where id = ?")
				.params(RESUME_ONLY, request.id())
				.update() == 1;
		});
	}

	/** A question that another turn waits for belongs to this one from now on. */
	void keep(String id, SuspendedTurn turn, int continuations, Instant now) {
		String json = TurnJson.write(turn);
		if (!TurnJson.read(json).equals(turn)) {
			throw new IllegalStateException("The turn has characters that cannot be kept");
		}
		List<String> questions = turn.replies()
			.stream()
			.filter(Reply::isWaiting)
			.map((reply) -> Objects.requireNonNull(reply.approvalId()))
			.distinct()
			.toList();
		boolean unused = this.transactions.write(() -> {
			this.client.sql(JdbcApprovalStore.LOCK).query(Integer.class).list();
			this.client.sql(
					"insert into agent_hooks_approval_turn (id, turn, progress, continuations, attempts, calls, changed_at) "
							+ "values (?, ?, ?, ?, 0, 0, ?)")
				.params(id, json, ContinuationStore.progressOf(continuations), continuations,
						JdbcApprovalStore.utc(now))
				.update();
			for (String question : questions) {
				int found = this.client
					.sql("update agent_hooks_approval_call set turn_id = ?, changed_at = ? where id = ?")
					.params(id, JdbcApprovalStore.utc(now), question)
					.update();
				if (found != 1) {
					throw gone(question);
				}
			}
			return true;
		});
	}

	/** The turn of a question, or one of this one call if none was kept. */
	Kept find(ApprovalRequest request) {
		return this.transactions.read(() -> read(request));
	}

	/**
	 * Unless there is one. One at a time, so that exactly one of those who bring the last
	 * results of a turn sees all of them first.
	 */
	Kept record(ApprovalRequest request, Result result, Instant now) {
		String json = TurnJson.write(result);
		return this.transactions.write(() -> {
			this.client.sql(JdbcApprovalStore.LOCK).query(Integer.class).list();
			this.client
				.sql("update agent_hooks_approval_call set reply = ?, changed_at = ? where id = ? and reply is null")
				.params(json, JdbcApprovalStore.utc(now), request.id())
				.update();
			this.client
				.sql("update agent_hooks_approval_turn set changed_at = ? where id in "
						+ "(select turn_id from agent_hooks_approval_call where id = ?)")
				.params(JdbcApprovalStore.utc(now), request.id())
				.update();
			return read(request);
		});
	}

	private Kept read(ApprovalRequest request) {
		Row row = this.client.sql(RESULT)
			.param(request.id())
			.query((found, number) -> new Row(found.getString(1), resultOf(request.id(), found.getString(2))))
			.optional()
			.orElseThrow(() -> gone(request.id()));
		return new Kept((row.turn() != null) ? turnOf(row.turn()) : TurnReplies.alone(request, row.result()),
				row.result());
	}

	private SuspendedTurn turnOf(String id) {
		String json = this.client.sql("select turn from agent_hooks_approval_turn where id = ?")
			.param(id)
			.query(String.class)
			.optional()
			.orElseThrow(() -> new IllegalStateException("The turn '%s' is gone".formatted(SafeText.name(id))));
		Map<String, @Nullable Result> results = new HashMap<>();
		RowCallbackHandler put = (row) -> results.put(row.getString(1), resultOf(row.getString(1), row.getString(2)));
		this.client.sql("select id, reply from agent_hooks_approval_call where turn_id = ?").param(id).query(put);
		try {
			return TurnReplies.withResults(TurnJson.read(json), results);
		}
		catch (InvalidJsonException ex) {
			throw new IllegalStateException(
					"The turn '%s' in the table agent_hooks_approval_turn cannot be read".formatted(SafeText.name(id)));
		}
	}

	private static @Nullable Result resultOf(String id, @Nullable String json) {
		try {
			return (json != null) ? TurnJson.readResult(json) : null;
		}
		catch (InvalidJsonException ex) {
			throw new IllegalStateException(
					"The result of the call '%s' in the table agent_hooks_approval_call cannot be read"
						.formatted(SafeText.name(id)));
		}
	}

	/**
	 * Turns whose questions are all gone, and calls whose questions and turns are gone.
	 */
	boolean purge(Instant before) {
		int turns = this.transactions.write(() -> JdbcApprovalStore.purge(this.client, "agent_hooks_approval_turn",
				"not exists (select 1 from agent_hooks_approval_call c join agent_hooks_approval q on q.id = c.id "
						+ "where c.turn_id = agent_hooks_approval_turn.id)",
				before));
		int calls = this.transactions.write(() -> JdbcApprovalStore.purge(this.client, "agent_hooks_approval_call",
				"not exists (select 1 from agent_hooks_approval q where q.id = agent_hooks_approval_call.id) "
						+ "and not exists (select 1 from agent_hooks_approval_turn t "
						+ "where t.id = agent_hooks_approval_call.turn_id)",
				before));
		return turns == JdbcApprovalStore.PURGED_AT_ONCE || calls == JdbcApprovalStore.PURGED_AT_ONCE;
	}

	private static IllegalStateException gone(String id) {
		return new IllegalStateException("The question '%s' is gone".formatted(SafeText.name(id)));
	}

	/** The turn is {@code null} if none was kept, the result if none is known. */
	private record Row(@Nullable String turn, @Nullable Result result) {
	}

	/** The turn of a call, and its result, or {@code null} if none is known. */
	record Kept(SuspendedTurn turn, @Nullable Result result) {
	}

	record Result(String text, boolean failed) {

		/** Without the text. */
		@Override
		public String toString() {
			return "Result[failed=%s]".formatted(this.failed);
		}

	}

}
