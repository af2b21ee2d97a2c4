package io.agenthooks.spring.limit;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Counts limits in the table {@code agent_hooks_limit} of a database, for all nodes of
 * the application. The row of a key is locked while a call is counted.
 */
final class JdbcLimitStore implements LimitStore {

	private final SharedLimits limits;

	private final LimitRows rows;

	/**
	 * Create a store.
	 * @param sql what depends on the database
	 */
	JdbcLimitStore(OwnTransactions transactions, LimitSql sql, SharedLimits limits) {
		this.limits = limits;
		this.rows = new LimitRows(transactions, sql, limits.entry(), limits.maxKeys());
	}

	@Override
	public Answer take(String key, @Nullable String call) {
		return change(key, (kept, now) -> {
			if (call != null && kept.forget(call)) {
				return new Enough(null);
			}
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
	public Answer enter(String key, @Nullable String call) {
		JdbcPlace place = new JdbcPlace(key, SharedLimits.newId());
		return change(key, (kept, now) -> {
			if (call != null && kept.forget(call)) {
				return new Enough(null);
			}
			UsedUp usedUp = kept.usedUp(now);
			kept.use(now);
			if (usedUp != null) {
				return usedUp;
			}
			kept.enter(place.id(), now);
			return new Enough(place);
		});
	}

	@Override
	public void remember(String key, String call) {
		Answer unused = change(key, (kept, now) -> {
			kept.remember(call, now);
			return new Enough(null);
		});
	}

	private Answer change(String key, Change change) {
		return this.rows.change(key, new Full(), (text, now) -> {
			SharedKey kept = (text != null) ? SharedKey.read(this.limits, text) : SharedKey.fresh(this.limits);
			kept.advance(now);
			return changed(change.in(kept, now), kept);
		});
	}

	private static <T> LimitRows.Changed<T> changed(T answer, SharedKey kept) {
		return (kept.isChanged()) ? new LimitRows.Changed<>(answer, kept.write(), kept.overAt())
				: LimitRows.Changed.nothing(answer);
	}

	@Override
	public Answer look(String key, @Nullable String call) {
		return this.rows.read(key, new Full(), (text, now) -> {
			if (text == null) {
				return LimitRows.Changed.nothing(new Enough(null));
			}
			SharedKey kept = SharedKey.read(this.limits, text);
			kept.advance(now);
			UsedUp usedUp = (call != null && kept.remembers(call)) ? null : kept.usedUp(now);
			return LimitRows.Changed.nothing((usedUp != null) ? usedUp : new Enough(null));
		});
	}

	@Override
	public void leave(Place place, boolean counts) {
		JdbcPlace left = (JdbcPlace) place;
		this.rows.changeKnown(left.key(), (text, now) -> {
			SharedKey kept = (text != null) ? SharedKey.read(this.limits, text) : SharedKey.fresh(this.limits);
			kept.advance(now);
			boolean there = kept.leave(left.id());
			if (there && counts) {
				kept.count(now);
			}
			return changed(there, kept);
		});
	}

	/**
	 * What a call changes.
	 */
	@FunctionalInterface
	private interface Change {

		Answer in(SharedKey kept, long now);

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
