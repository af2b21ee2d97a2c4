package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Counts limits in the table {@code agent_hooks_limit} of a database, for all nodes of
 * the application. The rows of its keys are locked while a call is counted, in the order
 * of the groups.
 */
final class JdbcLimitStore implements LimitStore {

	private final OwnTransactions transactions;

	private final List<Group> groups;

	/**
	 * Create a store.
	 * @param sql what depends on the database
	 * @param groups the limits, by what they count
	 */
	JdbcLimitStore(OwnTransactions transactions, LimitSql sql, SharedLimits... groups) {
		this.transactions = transactions;
		this.groups = Stream.of(groups)
			.map((limits) -> new Group(limits, new LimitRows(transactions, sql, limits.entry(), limits.maxKeys())))
			.toList();
	}

	@Override
	public Answer take(List<String> keys, @Nullable String call) {
		return this.groups.get(0).rows().inOneStep(() -> pass(keys, call, null));
	}

	@Override
	public Answer enter(List<String> keys, @Nullable String call) {
		JdbcPlace place = new JdbcPlace(keys, SharedLimits.newId());
		return this.groups.get(0).rows().inOneStep(() -> pass(keys, call, place));
	}

	private Answer pass(List<String> keys, @Nullable String call, @Nullable JdbcPlace place) {
		List<Locked> locked = counting(keys).mapToObj((group) -> this.groups.get(group).lock(keys.get(group))).toList();
		long now = this.groups.get(0).rows().now();
		if (locked.stream().anyMatch((one) -> !one.group().rows().hasRoom(one.row(), now))) {
			return new Full();
		}
		List<Kept> all = locked.stream().map((one) -> one.kept(now)).toList();
		List<Kept> uncounted = all.stream().filter((one) -> call == null || !one.key().remembers(call)).toList();
		List<UsedUp> usedUp = uncounted.stream().map((one) -> one.key().usedUp(now)).filter(Objects::nonNull).toList();
		if (!usedUp.isEmpty()) {
			uncounted.stream().filter((one) -> one.isKnown(now)).forEach((one) -> one.key().use(now));
			all.forEach((one) -> one.write(now));
			return UsedUp.of(usedUp);
		}
		for (Kept one : all) {
			if (!uncounted.contains(one)) {
				boolean unused = one.key().forget(Objects.requireNonNull(call));
			}
			else if (place != null) {
				one.key().use(now);
				one.key().enter(place.id(), now);
			}
			else {
				one.key().count(now);
			}
			one.write(now);
		}
		return new Enough((uncounted.isEmpty()) ? null : place);
	}

	private static IntStream counting(List<String> keys) {
		return IntStream.range(0, keys.size()).filter((group) -> !keys.get(group).isEmpty());
	}

	@Override
	public void remember(List<String> keys, String call) {
		counting(keys).forEach((index) -> {
			Group group = this.groups.get(index);
			Answer unused = group.rows().change(keys.get(index), new Full(), (text, now) -> {
				SharedKey kept = group.read(text, now);
				kept.remember(call, now);
				return changed(new Enough(null), kept);
			});
		});
	}

	private static <T> LimitRows.Changed<T> changed(T answer, SharedKey kept) {
		return (kept.isChanged()) ? new LimitRows.Changed<>(answer, kept.write(), kept.overAt())
				: LimitRows.Changed.nothing(answer);
	}

	@Override
	public Answer look(List<String> keys, @Nullable String call) {
		return LimitStore
			.of(counting(keys).mapToObj((group) -> look(this.groups.get(group), keys.get(group), call)).toList());
	}

	private static Answer look(Group group, String key, @Nullable String call) {
		return group.rows().read(key, new Full(), (text, now) -> {
			if (text == null) {
				return LimitRows.Changed.nothing(new Enough(null));
			}
			SharedKey kept = group.read(text, now);
			UsedUp usedUp = (call != null && kept.remembers(call)) ? null : kept.usedUp(now);
			return LimitRows.Changed.nothing((usedUp != null) ? usedUp : new Enough(null));
		});
	}

	@Override
	public void leave(Place place, boolean counts) {
		JdbcPlace left = (JdbcPlace) place;
		boolean unused = this.transactions.write(() -> {
			counting(left.keys())
				.forEach((group) -> leave(this.groups.get(group), left.keys().get(group), left, counts));
			return true;
		});
	}

	private static void leave(Group group, String key, JdbcPlace place, boolean counts) {
		boolean unused = group.rows().changeKnownHere(key, (text, now) -> {
			SharedKey kept = group.read(text, now);
			boolean there = kept.leave(place.id());
			if (there && counts) {
				kept.count(now);
			}
			return changed(there, kept);
		});
	}

	/**
	 * Limits that count the same calls together.
	 *
	 * @param limits the limits
	 * @param rows their rows
	 */
	private record Group(SharedLimits limits, LimitRows rows) {

		Locked lock(String key) {
			return new Locked(this, key, this.rows.lock(key));
		}

		SharedKey read(@Nullable String text, long now) {
			SharedKey kept = (text != null) ? SharedKey.read(this.limits, text) : SharedKey.fresh(this.limits);
			kept.advance(now);
			return kept;
		}

	}

	/**
	 * A key that is locked.
	 *
	 * @param group whose key it is
	 * @param name its name
	 * @param row its row, or {@code null} if there is none
	 */
	private record Locked(Group group, String name, LimitRows.@Nullable Row row) {

		Kept kept(long now) {
			return new Kept(this, this.group.read(LimitRows.known(this.row, now), now));
		}

	}

	/**
	 * What is kept of a key that is locked.
	 *
	 * @param place where
	 * @param key what is kept
	 */
	private record Kept(Locked place, SharedKey key) {

		boolean isKnown(long now) {
			return LimitRows.known(this.place.row(), now) != null;
		}

		void write(long now) {
			this.place.group().rows().write(this.place.name(), this.place.row(), now, changed(true, this.key));
		}

	}

	/**
	 * The place of a call.
	 *
	 * @param keys among which others
	 * @param id its id
	 */
	private record JdbcPlace(List<String> keys, String id) implements Place {
	}

}
