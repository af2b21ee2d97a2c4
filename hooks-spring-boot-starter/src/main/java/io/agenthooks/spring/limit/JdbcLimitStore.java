package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.TransactionException;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Counts limits in the table {@code agent_hooks_limit} of a database, for all nodes of
 * the application. The row of a key is locked while a call is counted.
 */
final class JdbcLimitStore implements LimitStore {

	private static final String FIND = "select over_at, kept from agent_hooks_limit where hook = ? and limit_key = ?";

	private static final String LOCK = FIND + " for update";

	private static final String PURGE = "delete from agent_hooks_limit where over_at <= ? and (hook, limit_key) in "
			+ "(select hook, limit_key from agent_hooks_limit where over_at <= ? order by over_at fetch first ? rows only)";

	private static final long PURGE_INTERVAL = Duration.ofMinutes(1).toNanos();

	private static final int PURGED_AT_ONCE = 500;

	/** Nodes count the keys so often, and in between only those that they add. */
	private static final long COUNT_INTERVAL = 10_000_000;

	private static final long RECOUNT_PAUSE = 100_000;

	/** Lost races of one new key. */
	private static final int MAX_RACES = 100;

	private static final Logger logger = LoggerFactory.getLogger(JdbcLimitStore.class);

	private final OwnTransactions transactions;

	private final LimitSql sql;

	private final SharedLimits limits;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AtomicLong nextPurge = new AtomicLong(System.nanoTime());

	private final AtomicLong keysCountedAt = new AtomicLong();

	private final AtomicInteger keys = new AtomicInteger();

	/**
	 * Create a store.
	 * @param sql what depends on the database
	 */
	JdbcLimitStore(OwnTransactions transactions, LimitSql sql, SharedLimits limits) {
		this.transactions = transactions;
		this.sql = sql;
		this.limits = limits;
	}

	@Override
	public Answer take(String key) {
		return change(key, (kept, now) -> {
			UsedUp usedUp = kept.usedUp(now);
			if (usedUp != null) {
				kept.use(now);
				return usedUp;
			}
			kept.count(now);
			return new Enough(null);
		});
	}

	@Override
	public Answer enter(String key) {
		JdbcPlace place = new JdbcPlace(key, SharedLimits.newId());
		return change(key, (kept, now) -> {
			UsedUp usedUp = kept.usedUp(now);
			kept.use(now);
			if (usedUp != null) {
				return usedUp;
			}
			kept.enter(place.id(), now);
			return new Enough(place);
		});
	}

	private Answer change(String key, Change change) {
		for (int i = 0; i < MAX_RACES; i++) {
			Optional<Answer> answer = this.transactions.write(() -> changeLocked(key, change));
			if (answer.isPresent()) {
				purge();
				return answer.get();
			}
		}
		throw new IllegalStateException("The key of a limit is made and removed all the time");
	}

	/**
	 * The time is read behind the lock: others may have held it for a while.
	 * @return nothing if others made or removed the key meanwhile
	 */
	private Optional<Answer> changeLocked(String key, Change change) {
		Row row = row(LOCK, key);
		long now = this.sql.now(this.transactions.client());
		SharedKey known = (row != null && row.overAt() > now) ? SharedKey.read(this.limits, row.kept()) : null;
		if (known == null && !hasRoom(now)) {
			return Optional.of(new Full());
		}
		SharedKey kept = (known != null) ? known : SharedKey.fresh(this.limits);
		kept.advance(now);
		Answer answer = change.in(kept, now);
		if (kept.isChanged()) {
			boolean written = (row != null) ? update(key, kept) : insert(key, kept);
			if (!written) {
				return Optional.empty();
			}
			this.keys.addAndGet((known != null) ? 0 : 1);
		}
		return Optional.of(answer);
	}

	private @Nullable Row row(String select, String key) {
		return this.transactions.client()
			.sql(select)
			.params(this.limits.entry(), key)
			.query((row, number) -> new Row(row.getLong(1), row.getString(2)))
			.optional()
			.orElse(null);
	}

	private boolean insert(String key, SharedKey kept) {
		try {
			return this.transactions.client()
				.sql(this.sql.insert())
				.params(this.limits.entry(), key, kept.overAt(), kept.write())
				.update() == 1;
		}
		catch (DuplicateKeyException ex) {
			// Another call was first.
			return false;
		}
	}

	private boolean update(String key, SharedKey kept) {
		return this.transactions.client()
			.sql("update agent_hooks_limit set over_at = ?, kept = ? where hook = ? and limit_key = ?")
			.params(kept.overAt(), kept.write(), this.limits.entry(), key)
			.update() == 1;
	}

	private boolean hasRoom(long now) {
		long age = now - this.keysCountedAt.get();
		if (age >= COUNT_INTERVAL || age < 0 || (this.keys.get() >= this.limits.maxKeys() && age >= RECOUNT_PAUSE)) {
			Integer counted = this.transactions.client()
				.sql("select count(*) from agent_hooks_limit where hook = ? and over_at > ?")
				.params(this.limits.entry(), now)
				.query(Integer.class)
				.single();
			this.keys.set(Objects.requireNonNull(counted));
			this.keysCountedAt.set(now);
		}
		return this.keys.get() < this.limits.maxKeys();
	}

	@Override
	public Answer look(String key) {
		return this.transactions.read(() -> {
			Row row = row(FIND, key);
			long now = this.sql.now(this.transactions.client());
			if (row == null || row.overAt() <= now) {
				return (hasRoom(now)) ? new Enough(null) : new Full();
			}
			SharedKey kept = SharedKey.read(this.limits, row.kept());
			kept.advance(now);
			UsedUp usedUp = kept.usedUp(now);
			return (usedUp != null) ? usedUp : new Enough(null);
		});
	}

	@Override
	public void leave(Place place, boolean counts) {
		JdbcPlace left = (JdbcPlace) place;
		boolean unused = this.transactions.write(() -> {
			Row row = row(LOCK, left.key());
			if (row == null) {
				return false;
			}
			long now = this.sql.now(this.transactions.client());
			SharedKey kept = SharedKey.read(this.limits, row.kept());
			kept.advance(now);
			if (kept.leave(left.id()) && counts) {
				kept.count(now);
			}
			return kept.isChanged() && update(left.key(), kept);
		});
	}

	/**
	 * Remove rows of which there is nothing to remember, a portion at the expense of one
	 * call a minute, or of each call as long as there are more.
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
				return this.transactions.client().sql(PURGE).params(time, time, PURGED_AT_ONCE).update();
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

	/**
	 * What a call changes.
	 */
	@FunctionalInterface
	private interface Change {

		Answer in(SharedKey kept, long now);

	}

	/**
	 * What is kept of a key.
	 *
	 * @param overAt when there is nothing left to remember
	 * @param kept what is remembered
	 */
	private record Row(long overAt, String kept) {
	}

	/**
	 * The place of a call.
	 *
	 * @param key among which others
	 * @param id its id
	 */
	private record JdbcPlace(String key, String id) implements Place {
	}

}
