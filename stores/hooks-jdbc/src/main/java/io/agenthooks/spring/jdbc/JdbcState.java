package io.agenthooks.spring.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.state.Deadline;
import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.StoreWatch;

/**
 * State in the table {@code agent_hooks_limit} of a database. The rows of its keys are
 * locked while they change, in the order of the spaces, in a short transaction of their
 * own.
 *
 * @param <S> what is kept of a key
 * @since 0.1.0
 */
public final class JdbcState<S> implements KeyedState<S> {

	/** The most times that room is made for one key. */
	private static final int MAX_TRIES = 10;

	private final StateTerms<S> terms;

	private final OwnTransactions transactions;

	private final BooleanSupplier atOnce;

	private final List<JdbcRows> spaces;

	public JdbcState(OwnTransactions transactions, StateSql sql, StateTerms<S> terms) {
		this(transactions, sql, terms, () -> false);
	}

	private JdbcState(OwnTransactions transactions, StateSql sql, StateTerms<S> terms, BooleanSupplier atOnce) {
		this.terms = terms;
		this.transactions = transactions;
		this.atOnce = atOnce;
		this.spaces = terms.spaces()
			.stream()
			.map((name) -> new JdbcRows(transactions, sql, name, terms.maxKeys()))
			.toList();
	}

	/**
	 * A store in a database.
	 * @param transactions what to write in
	 * @param hurried what to write in for work that has a {@link Deadline}; if that is
	 * sooner than these transactions end, rows that others hold are not waited for
	 * @param sql what depends on the database
	 * @return the store
	 */
	public static StateStore store(OwnTransactions transactions, OwnTransactions hurried, StateSql sql) {
		return new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new JdbcState<>(transactions, sql, terms);
			}

			@Override
			public <S> KeyedState<S> openHurried(StateTerms<S> terms) {
				// Drivers count seconds, so whoever has no time to wait does not wait.
				return new JdbcState<>(hurried, sql, terms, () -> Deadline.isBefore(hurried.timeout().dividedBy(2)));
			}

		};
	}

	@Override
	public <T> T change(List<String> keys, T full, Change<S, T> change) {
		if (this.terms.full() == StateTerms.WhenFull.REFUSE) {
			return this.spaces.get(0).inOneStep(() -> write(keys, change)).orElse(full);
		}
		return Deadline.within(this.transactions.timeout(), () -> {
			for (int i = 0; i < MAX_TRIES && (i == 0 || !Deadline.isOver()); i++) {
				Optional<T> answer = this.spaces.get(0).inOneStep(() -> write(keys, change));
				if (answer.isPresent()) {
					return answer.get();
				}
				this.spaces.forEach(JdbcRows::removeOldest);
			}
			// Other calls take it, and how many there are is up to the agent.
			throw StoreWatch.busy();
		});
	}

	private <T> Optional<T> write(List<String> keys, Change<S, T> change) {
		boolean atOnce = this.atOnce.getAsBoolean();
		List<Locked> all = counting(keys)
			.mapToObj(
					(space) -> new Locked(space, keys.get(space), this.spaces.get(space).lock(keys.get(space), atOnce)))
			.toList();
		long now = this.spaces.get(0).now();
		List<Kept<S>> kept = kept(all, now);
		T answer = change.in(kept, now);
		if (kept.stream().anyMatch((one) -> one.isNew() && !this.spaces.get(one.space()).hasRoom(now))) {
			return Optional.empty();
		}
		for (int i = 0; i < all.size(); i++) {
			write(all.get(i), kept.get(i), now);
		}
		return Optional.of(answer);
	}

	private void write(Locked one, Kept<S> kept, long now) {
		S next = kept.next();
		JdbcRows rows = this.spaces.get(one.space());
		if (next != null && kept.overAt() > now) {
			rows.write(one.key(), one.row(), new JdbcRows.Row(kept.overAt(), this.terms.codec().write(next)),
					kept.isNew());
		}
		else if (next != null && one.row() != null) {
			rows.remove(one.key(), kept.state() != null);
		}
	}

	private List<Kept<S>> kept(List<Locked> all, long now) {
		List<Kept<S>> kept = new ArrayList<>();
		for (Locked one : all) {
			String text = JdbcRows.Row.known(one.row(), now);
			kept.add(new Kept<>(one.space(), (text != null) ? this.terms.codec().read(one.space(), text) : null));
		}
		return kept;
	}

	private static IntStream counting(List<String> keys) {
		return IntStream.range(0, keys.size()).filter((space) -> !keys.get(space).isEmpty());
	}

	@Override
	public <T> T look(List<String> keys, T full, Change<S, T> change) {
		return this.transactions.read(() -> {
			List<Locked> all = counting(keys)
				.mapToObj((space) -> new Locked(space, keys.get(space), this.spaces.get(space).find(keys.get(space))))
				.toList();
			long now = this.spaces.get(0).now();
			List<Kept<S>> kept = kept(all, now);
			T answer = Objects.requireNonNull(change.in(kept, now));
			boolean hasRoom = this.terms.full() == StateTerms.WhenFull.FORGET_OLDEST
					|| kept.stream().noneMatch((one) -> one.isNew() && !this.spaces.get(one.space()).hasRoom(now));
			return (hasRoom) ? answer : full;
		});
	}

	/** The row is {@code null} if there is none. */
	private record Locked(int space, String key, JdbcRows.@Nullable Row row) {
	}

}
