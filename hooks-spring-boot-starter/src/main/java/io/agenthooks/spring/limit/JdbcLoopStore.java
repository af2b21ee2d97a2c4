package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Keeps the calls of runs in the table {@code agent_hooks_limit} of a database, for all
 * nodes of the application. The row of a run is locked while a call enters or ends.
 */
final class JdbcLoopStore implements LoopStore {

	/** How many times room is made for one run. */
	private static final int MAX_TRIES = 10;

	private final LoopSettings settings;

	private final Duration timeout;

	private final LimitRows rows;

	private final long forgetAfter;

	private final long kept;

	/**
	 * Create a store.
	 * @param sql what depends on the database
	 * @param entry tells these runs from those of other hooks
	 */
	JdbcLoopStore(OwnTransactions transactions, LimitSql sql, String entry, LoopSettings settings) {
		this.settings = settings;
		this.timeout = transactions.timeout();
		this.rows = new LimitRows(transactions, sql, entry, settings.maxRuns());
		this.forgetAfter = SharedLimits.micros(settings.forgetAfter());
		this.kept = this.forgetAfter + SharedLimits.micros(SharedLimits.LEASE);
	}

	@Override
	public Entered enter(String run, String call, String tool) {
		return Deadline.within(this.timeout, () -> enterInTime(run, call, tool));
	}

	private Entered enterInTime(String run, String call, String tool) {
		String id = SharedLimits.newId();
		for (int i = 0; i < MAX_TRIES && (i == 0 || !Deadline.isOver()); i++) {
			Optional<Entered> entered = this.rows.change(run, Optional.<Entered>empty(), (text, now) -> {
				Kept known = find(text, now);
				String born = (known != null) ? known.born() : id;
				RunCalls calls = (known != null) ? known.calls() : new RunCalls(this.settings);
				Entered answer = new Entered(calls.enter(call, tool), new JdbcRun(run, born));
				return changed(Optional.of(answer), new Kept(now, born, calls));
			});
			if (entered.isPresent()) {
				return entered.get();
			}
			this.rows.removeOldest();
		}
		throw new IllegalStateException("There is no room for one more run");
	}

	private @Nullable Kept find(@Nullable String text, long now) {
		Kept known = (text != null) ? Kept.read(this.settings, text) : null;
		return (known != null && now - known.usedAt() < this.forgetAfter) ? known : null;
	}

	private <T> LimitRows.Changed<T> changed(T answer, Kept changed) {
		return new LimitRows.Changed<>(answer, changed.write(), changed.usedAt() + this.kept);
	}

	@Override
	public void end(Run run, String call, String tool, String result, @Nullable Boolean failed) {
		change(run, (calls) -> calls.end(call, tool, result, failed));
	}

	@Override
	public void leave(Run run) {
		change(run, RunCalls::leave);
	}

	/**
	 * Change a run, unless it was forgotten. A call that ends keeps it, however long it
	 * took, as long as it is there.
	 */
	private void change(Run run, Consumer<RunCalls> use) {
		JdbcRun changed = (JdbcRun) run;
		this.rows.changeKnown(changed.key(), (text, now) -> {
			Kept known = (text != null) ? Kept.read(this.settings, text) : null;
			if (known == null || !known.born().equals(changed.born())) {
				return LimitRows.Changed.nothing(false);
			}
			use.accept(known.calls());
			return changed(true, new Kept(now, known.born(), known.calls()));
		});
	}

	@Override
	public RunCalls.Looked look(String run, String call, String tool) {
		RunCalls.Looked unknown = new RunCalls(this.settings).look(call, tool);
		return this.rows.read(run, unknown, (text, now) -> {
			Kept known = find(text, now);
			return LimitRows.Changed.nothing((known != null) ? known.calls().look(call, tool) : unknown);
		});
	}

	/**
	 * A run.
	 *
	 * @param key which
	 * @param born tells it from those that were forgotten
	 */
	private record JdbcRun(String key, String born) implements Run {
	}

	/**
	 * What is kept of a run.
	 *
	 * @param usedAt when something was heard of it last, in microseconds
	 * @param born tells it from those that were forgotten
	 * @param calls its calls
	 */
	private record Kept(long usedAt, String born, RunCalls calls) {

		private static final String VERSION = "l1";

		private static final int PARTS = 4;

		static Kept read(LoopSettings settings, String text) {
			String[] parts = text.split(";", PARTS);
			if (parts.length != PARTS || !parts[0].equals(VERSION)) {
				throw RunCalls.unreadable();
			}
			try {
				return new Kept(Long.parseLong(parts[1]), parts[2], RunCalls.read(settings, parts[3]));
			}
			catch (NumberFormatException ex) {
				throw RunCalls.unreadable();
			}
		}

		String write() {
			return String.join(";", VERSION, String.valueOf(this.usedAt), this.born, this.calls.write());
		}

	}

}
