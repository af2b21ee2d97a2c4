package io.agenthooks.spring.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.transaction.TransactionException;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.state.Deadline;
import io.agenthooks.spring.state.StoreWatch;

/** The rows of a space in the table {@code agent_hooks_limit}: a text for each key. */
final class JdbcRows {

	private static final String FIND = "select over_at, kept from agent_hooks_limit where hook = ? and limit_key = ?";

	private static final String LOCK = FIND + " for update";

	private static final String LOCK_AT_ONCE = LOCK + " nowait";

	/** But for what calls of other nodes hold. */
	private static final String OLDEST = "select limit_key from agent_hooks_limit where hook = ? and over_at > ? "
			+ "order by over_at fetch first ? rows only for update skip locked";

	private static final long PURGE_INTERVAL = Duration.ofMinutes(1).toNanos();

	private static final int PURGED_AT_ONCE = 500;

	/** Nodes count the keys so often, and in between only those that they add. */
	private static final long COUNT_INTERVAL = 10_000_000;

	private static final long RECOUNT_PAUSE = 100_000;

	/** Lost races of one new key. */
	private static final int MAX_RACES = 100;

	private static final Logger logger = LoggerFactory.getLogger(JdbcRows.class);

	private final OwnTransactions transactions;

	private final StateSql sql;

	private final String hook;

	private final int maxKeys;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AtomicLong nextPurge = new AtomicLong(System.nanoTime());

	private final AtomicLong keysCountedAt = new AtomicLong();

	private final AtomicBoolean counting = new AtomicBoolean();

	private final ReentrantLock removing = new ReentrantLock();

	private final AtomicInteger keys = new AtomicInteger();

	JdbcRows(OwnTransactions transactions, StateSql sql, String hook, int maxKeys) {
		this.transactions = transactions;
		this.sql = sql;
		this.hook = hook;
		this.maxKeys = maxKeys;
	}

	/** Again if another call was quicker to make or remove a key. */
	<T> T inOneStep(Supplier<T> step) {
		for (int i = 0; i < MAX_RACES && (i == 0 || !Deadline.isOver()); i++) {
			try {
				T answer = this.transactions.write(step);
				purge();
				return answer;
			}
			catch (LostRaceException ex) {
				// Nothing of it is written.
			}
		}
		// By other calls, and how many there are is up to the agent.
		throw StoreWatch.busy();
	}

	@Nullable Row lock(String key, boolean atOnce) {
		return row((atOnce) ? LOCK_AT_ONCE : LOCK, key);
	}

	@Nullable Row find(String key) {
		return row(FIND, key);
	}

	/** The time. It is read behind the locks: others may have held them for a while. */
	long now() {
		return this.sql.now(this.transactions.client());
	}

	/** Write a row that is locked; it was {@code null} if there is none. */
	void write(String key, @Nullable Row row, Row next, boolean isNew) {
		boolean written = (row != null) ? update(key, next.kept(), next.overAt())
				: insert(key, next.kept(), next.overAt());
		if (!written) {
			throw new LostRaceException();
		}
		this.keys.addAndGet((isNew) ? 1 : 0);
	}

	private @Nullable Row row(String select, String key) {
		return this.transactions.client()
			.sql(select)
			.params(this.hook, key)
			.query((row, number) -> new Row(row.getLong(1), row.getString(2)))
			.optional()
			.orElse(null);
	}

	private boolean insert(String key, String kept, long overAt) {
		try {
			return this.transactions.client().sql(this.sql.insert()).params(this.hook, key, overAt, kept).update() == 1;
		}
		catch (DuplicateKeyException ex) {
			// Another call was first.
			return false;
		}
	}

	private boolean update(String key, String kept, long overAt) {
		return this.transactions.client()
			.sql("update agent_hooks_limit set over_at = ?, kept = ? where hook = ? and limit_key = ?")
			.params(overAt, kept, this.hook, key)
			.update() == 1;
	}

	/**
	 * Of calls at the same time one counts the keys; the others go by what it counted.
	 */
	boolean hasRoom(long now) {
		if (this.maxKeys == Integer.MAX_VALUE) {
			return true;
		}
		long countedAt = this.keysCountedAt.get();
		long age = now - countedAt;
		boolean isDue = age >= COUNT_INTERVAL || age < 0 || (this.keys.get() >= this.maxKeys && age >= RECOUNT_PAUSE);
		if (countedAt == 0) {
			// Nobody knows anything yet, so nobody goes by what others know.
			count(now);
		}
		else if (isDue && this.counting.compareAndSet(false, true)) {
			try {
				count(now);
			}
			finally {
				this.counting.set(false);
			}
		}
		return this.keys.get() < this.maxKeys;
	}

	private void count(long now) {
		Integer counted = this.transactions.client()
			.sql("select count(*) from agent_hooks_limit where hook = ? and over_at > ?")
			.params(this.hook, now)
			.query(Integer.class)
			.single();
		this.keys.set(Objects.requireNonNull(counted));
		this.keysCountedAt.set(now);
	}

	/**
	 * And for some more. One call at a time does so, as far as the database can tell also
	 * of all nodes: each would remove some more.
	 */
	void removeOldest() {
		boolean interrupted = Thread.interrupted();
		boolean locked = false;
		try {
			locked = this.removing.tryLock(Deadline.of(this.transactions.timeout()) - System.nanoTime(),
					TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		try {
			// Another call may have made room.
			if (locked && !Deadline.isOver() && this.keys.get() >= this.maxKeys) {
				removeOldestAlone();
			}
		}
		finally {
			if (locked) {
				this.removing.unlock();
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void removeOldestAlone() {
		int removed = this.transactions.write(() -> {
			this.sql.waitForOthers(this.transactions.client(), this.hook);
			long now = this.sql.now(this.transactions.client());
			count(now);
			int tooMany = this.keys.get() + 1 - this.maxKeys;
			return (tooMany > 0) ? removeOldest(Math.min(tooMany + this.maxKeys / 100, PURGED_AT_ONCE), now) : 0;
		});
		this.keys.addAndGet(-removed);
	}

	/** In two statements: PostgreSQL may find the oldest ones more than once in one. */
	private int removeOldest(int most, long now) {
		List<String> oldest = this.transactions.client()
			.sql(OLDEST)
			.params(this.hook, now, most)
			.query((row, number) -> row.getString(1))
			.list();
		return (oldest.isEmpty()) ? 0 : remove(this.hook, oldest);
	}

	private int removeOver(long now) {
		Map<String, List<String>> over = new HashMap<>();
		this.transactions.client()
			.sql(StateSql.OVER)
			.params(now, PURGED_AT_ONCE)
			.query((RowCallbackHandler) (row) -> over.computeIfAbsent(row.getString(1), (hook) -> new ArrayList<>())
				.add(row.getString(2)));
		return over.entrySet().stream().mapToInt((one) -> remove(one.getKey(), one.getValue())).sum();
	}

	void remove(String key, boolean isKnown) {
		this.keys.addAndGet((isKnown) ? -remove(this.hook, List.of(key)) : 0);
	}

	private int remove(String hook, List<String> locked) {
		return this.transactions.client()
			.sql("delete from agent_hooks_limit where hook = :hook and limit_key in (:keys)")
			.param("hook", hook)
			.param("keys", locked)
			.update();
	}

	/**
	 * A portion at the expense of one call a minute, or of each call as long as there are
	 * more.
	 */
	private void purge() {
		long now = System.nanoTime();
		long next = this.nextPurge.get();
		if (now - next < 0 || !this.nextPurge.compareAndSet(next, now + PURGE_INTERVAL)) {
			return;
		}
		try {
			int removed = this.transactions.write(() -> {
				long time = this.sql.now(this.transactions.client());
				return removeOver(time);
			});
			if (removed == PURGED_AT_ONCE) {
				// There are more: the next call goes on.
				this.nextPurge.set(System.nanoTime());
			}
			logger.debug("{} limits that are over were removed", removed);
		}
		catch (DataAccessException | TransactionException ex) {
			this.warnings.warn("Limits that are over could not be removed: " + ex.getClass().getName());
		}
	}

	record Row(long overAt, String kept) {

		static @Nullable String known(@Nullable Row row, long now) {
			return (row != null && row.overAt() > now) ? row.kept() : null;
		}

	}

}
