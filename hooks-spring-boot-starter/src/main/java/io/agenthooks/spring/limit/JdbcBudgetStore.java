package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Keeps budgets in the table {@code agent_hooks_limit} of a database, for all nodes of
 * the application. The row of a key is locked while its account changes.
 */
final class JdbcBudgetStore implements BudgetStore {

	private final SharedBudget budget;

	private final LimitRows rows;

	/**
	 * Create a store.
	 * @param sql what depends on the database
	 */
	JdbcBudgetStore(OwnTransactions transactions, LimitSql sql, SharedBudget budget) {
		this.budget = budget;
		this.rows = new LimitRows(transactions, sql, budget.entry(), budget.terms().maxKeys());
	}

	@Override
	public Answer reserve(String key, BigDecimal amount) {
		String id = SharedLimits.newId();
		return change(key, amount, (account, now) -> {
			account.reserve(id, amount, now);
			return new JdbcPlace(key, id, null, account.born(), new AtomicBoolean());
		});
	}

	@Override
	public Answer take(String key, BigDecimal amount) {
		return change(key, amount, (account, now) -> {
			account.add(amount, now);
			return new JdbcPlace(key, "", amount, account.born(), new AtomicBoolean());
		});
	}

	private Answer change(String key, BigDecimal amount, Use use) {
		return this.rows.change(key, new Full(), (text, now) -> {
			SharedAccount account = SharedAccount.of(this.budget, text, now);
			account.use(now);
			if (!account.fits(amount)) {
				return changed(account.usedUp(amount, now), account);
			}
			Place place = use.of(account, now);
			return changed(enough(place, account), account);
		});
	}

	private Enough enough(@Nullable Place place, SharedAccount account) {
		BigDecimal left = account.left();
		boolean warns = left.compareTo(this.budget.warnBelow()) <= 0;
		return new Enough(place, left, warns, account.warn(left));
	}

	private static <T> LimitRows.Changed<T> changed(T answer, SharedAccount account) {
		return new LimitRows.Changed<>(answer, account.write(), account.overAt());
	}

	@Override
	public Answer look(String key, BigDecimal amount) {
		return this.rows.read(key, new Full(), (text, now) -> {
			SharedAccount account = SharedAccount.of(this.budget, text, now);
			if (!account.fits(amount)) {
				return LimitRows.Changed.nothing(account.usedUp(amount, now));
			}
			BigDecimal left = account.left().subtract(amount);
			return LimitRows.Changed
				.nothing(new Enough(null, left, left.compareTo(this.budget.warnBelow()) <= 0, false));
		});
	}

	@Override
	public void settle(Place place, boolean counts) {
		JdbcPlace settled = (JdbcPlace) place;
		BigDecimal taken = settled.taken();
		if (!settled.settled().compareAndSet(false, true) || (taken != null && counts)) {
			return;
		}
		this.rows.changeKnown(settled.key(), (text, now) -> {
			SharedAccount account = SharedAccount.of(this.budget, text, now);
			boolean known = (taken != null) ? account.giveBack(settled.born(), taken)
					: account.settle(settled.id(), counts, now);
			account.use(now);
			return (known) ? changed(true, account) : LimitRows.Changed.nothing(false);
		});
	}

	@Override
	public Answer check(String key) {
		return this.rows.change(key, new Full(), (text, now) -> {
			SharedAccount account = SharedAccount.of(this.budget, text, now);
			account.use(now);
			return changed(
					(account.left().signum() > 0) ? enough(null, account)
							: new UsedUp(BigDecimal.ZERO, account.usedUp(BigDecimal.ZERO, now).newIn(), false),
					account);
		});
	}

	@Override
	public boolean add(String key, BigDecimal amount) {
		return this.rows.change(key, false, (text, now) -> {
			SharedAccount account = SharedAccount.of(this.budget, text, now);
			account.add(SharedBudget.bounded(amount), now);
			return changed(true, account);
		});
	}

	/**
	 * What a call does that passes.
	 */
	@FunctionalInterface
	private interface Use {

		Place of(SharedAccount account, long now);

	}

	/**
	 * An amount that is reserved or taken.
	 *
	 * @param key whose budget it is
	 * @param id the id of the reservation
	 * @param taken the amount, if it was taken, or {@code null}
	 * @param born which account of the key it is
	 * @param settled whether somebody said whether it counts
	 */
	private record JdbcPlace(String key, String id, @Nullable BigDecimal taken, long born,
			AtomicBoolean settled) implements Place {
	}

}
