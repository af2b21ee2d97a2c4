package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.state.StateSql;
import io.agenthooks.spring.state.UnusableAnswerException;

/**
 * Keeps in the table {@code agent_hooks_flow} what sessions have read: a row for what is
 * known of each, with the number 0, which is locked while it changes, and one for each
 * note. A session that is only asked about is read by one statement.
 */
final class JdbcFlowStore implements FlowStore {

	private static final String SECRET = "secret";

	private static final String FIND = "select run_key, number, over_at, kept from agent_hooks_flow where hook = ? and "
			+ "(run_key = 'secret' or (run_key = ? and (number = 0 or number > ?))) order by number";

	private static final String LOCK = "select kept from agent_hooks_flow where hook = ? and run_key = ? and number = 0 "
			+ "for update";

	private static final String INSERT = "insert into agent_hooks_flow (hook, run_key, number, over_at, kept) "
			+ "values (?, ?, ?, ?, ?)";

	/** Sessions that are used are kept on so often. */
	private static final long TOUCH = SharedLimits.micros(Duration.ofHours(1));

	private static final long NOTES = SharedLimits.micros(FlowTerms.NOTES);

	private static final long SESSIONS = SharedLimits.micros(FlowTerms.SESSIONS);

	/** Lost races of one new session. */
	private static final int MAX_RACES = 100;

	private final OwnTransactions transactions;

	private final StateSql sql;

	private final String rule;

	private final String secret;

	private final FlowPurge purge;

	/**
	 * Create a store.
	 * @param sql what depends on the database
	 * @param rule tells these sessions from those of other rules
	 */
	JdbcFlowStore(OwnTransactions transactions, StateSql sql, String rule) {
		this.transactions = transactions;
		this.sql = sql;
		this.rule = rule;
		this.purge = new FlowPurge(transactions, sql);
		String made = FlowTerms.newSecret();
		this.secret = race(() -> keepSecret(made));
	}

	@Override
	public String secret() {
		return this.secret;
	}

	@Override
	public @Nullable Known exchange(String key, Sent sent) {
		Optional<Session> found = this.transactions.read(() -> find(key, sent));
		if (found.isPresent() && !sent.changes(found.get().known()) && !found.get().due()) {
			return found.get().known();
		}
		if (!sent.begins()) {
			return found.map(Session::known).orElse(null);
		}
		Known known = race(() -> {
			String kept = keepSecret(this.secret);
			if (!kept.equals(this.secret)) {
				throw FlowTerms.otherSecret();
			}
			return change(key, sent);
		});
		this.purge.run();
		return known;
	}

	/**
	 * Write in one transaction, and again if another node was first.
	 */
	private <T> T race(Supplier<T> work) {
		for (int i = 1; true; i++) {
			try {
				return this.transactions.write(work);
			}
			catch (DuplicateKeyException ex) {
				if (i == MAX_RACES) {
					throw ex;
				}
			}
		}
	}

	/**
	 * The secret of all nodes.
	 * @param made what it is if there is none
	 */
	private String keepSecret(String made) {
		String kept = this.transactions.client()
			.sql("select kept from agent_hooks_flow where hook = ? and run_key = 'secret' and number = 0")
			.params(this.rule)
			.query(String.class)
			.optional()
			.orElse(null);
		if (kept == null) {
			insert(SECRET, 0, Long.MAX_VALUE, made);
		}
		return (kept != null) ? kept : made;
	}

	private Optional<Session> find(String key, Sent sent) {
		List<Row> rows = rows(key, sent.after());
		Row secret = rows.stream().filter((row) -> row.key().equals(SECRET)).findFirst().orElse(null);
		Row head = rows.stream().filter((row) -> row.key().equals(key) && row.number() == 0).findFirst().orElse(null);
		if (secret == null || head == null) {
			return Optional.empty();
		}
		if (!secret.kept().equals(this.secret)) {
			throw FlowTerms.otherSecret();
		}
		long now = this.sql.now(this.transactions.client());
		return Optional
			.of(new Session(known(Head.read(head.kept()), notes(rows)), head.overAt() - now < SESSIONS - TOUCH));
	}

	private List<Row> rows(String key, int after) {
		return this.transactions.client()
			.sql(FIND)
			.params(this.rule, key, after)
			.query((row, number) -> new Row(row.getString(1), row.getInt(2), row.getLong(3), row.getString(4)))
			.list();
	}

	private static List<Note> notes(List<Row> rows) {
		return rows.stream()
			.filter((row) -> row.number() > 0)
			.map((row) -> new Note(row.number(), row.kept()))
			.toList();
	}

	private static Known known(Head head, List<Note> notes) {
		return new Known(head.born(), head.count(), head.untrusted(), head.secret(), notes);
	}

	/**
	 * The time is read behind the lock: others may have held it for a while.
	 */
	private Known change(String key, Sent sent) {
		String kept = this.transactions.client()
			.sql(LOCK)
			.params(this.rule, key)
			.query(String.class)
			.optional()
			.orElse(null);
		long now = this.sql.now(this.transactions.client());
		Head before = (kept != null) ? Head.read(kept) : begin(key, sent, now);
		boolean forgotten = sent.isForgotten(before.born());
		List<Note> notes = new ArrayList<>(notes(rows(key, (forgotten) ? 0 : sent.after())));
		Head head = before.with((forgotten) ? ALL : sent.untrusted(), (forgotten) ? ALL : sent.secret());
		String note = sent.note();
		if (note != null && head.count() < MAX_NOTES && head.size() + note.length() <= MAX_SIZE) {
			head = head.longer(note.length());
			insert(key, head.count(), now + NOTES, note);
		}
		update("update agent_hooks_flow set over_at = ?, kept = ? where hook = ? and run_key = ? and number = 0",
				now + SESSIONS, head.write(), this.rule, key);
		update("update agent_hooks_flow set over_at = ? where hook = ? and run_key = ? and number > 0 and over_at < ?",
				now + NOTES, this.rule, key, now + NOTES - TOUCH);
		return known(head, notes);
	}

	private Head begin(String key, Sent sent, long now) {
		boolean lost = sent.goesOn() || !sent.born().isEmpty();
		Head head = new Head(sent.id(), 0, 0, (lost) ? ALL : "", (lost) ? ALL : "");
		update("delete from agent_hooks_flow where hook = ? and run_key = ? and number > 0", this.rule, key);
		insert(key, 0, now + SESSIONS, head.write());
		return head;
	}

	private void insert(String key, int number, long overAt, String kept) {
		update(INSERT, this.rule, key, number, overAt, kept);
	}

	private void update(String statement, Object... parameters) {
		int unused = this.transactions.client().sql(statement).params(List.of(parameters)).update();
	}

	/**
	 * A session.
	 *
	 * @param known what is known of it
	 * @param due whether it is to be kept on
	 */
	private record Session(Known known, boolean due) {
	}

	/**
	 * A row.
	 *
	 * @param key of which session, or the secret
	 * @param number which note, or 0
	 * @param overAt until when it is kept
	 * @param kept what is kept
	 */
	private record Row(String key, int number, long overAt, String kept) {
	}

	/**
	 * What is kept of a session beside its notes.
	 *
	 * @param born its id
	 * @param count how many notes it has
	 * @param size how many characters they have
	 * @param untrusted who has read untrusted data
	 * @param secret who has read private data
	 */
	private record Head(String born, int count, int size, String untrusted, String secret) {

		private static final String VERSION = "f1";

		private static final int PARTS = 6;

		static Head read(String text) {
			String[] parts = text.split(";", -1);
			try {
				if (parts.length == PARTS && parts[0].equals(VERSION)) {
					return new Head(parts[1], Integer.parseInt(parts[2]), Integer.parseInt(parts[3]), parts[4],
							parts[5]);
				}
			}
			catch (NumberFormatException ex) {
				throw unreadable();
			}
			throw unreadable();
		}

		private static UnusableAnswerException unreadable() {
			return new UnusableAnswerException("What is kept of a session cannot be read");
		}

		String write() {
			return String.join(";", VERSION, this.born, String.valueOf(this.count), String.valueOf(this.size),
					this.untrusted, this.secret);
		}

		Head with(String untrusted, String secret) {
			return new Head(this.born, this.count, this.size, FlowStore.join(this.untrusted, untrusted),
					FlowStore.join(this.secret, secret));
		}

		Head longer(int characters) {
			return new Head(this.born, this.count + 1, this.size + characters, this.untrusted, this.secret);
		}

	}

}
