package io.agenthooks.spring.limit;

import java.math.BigDecimal;

import io.agenthooks.spring.HookHealth;

/**
 * Knows from its last use how a store of budgets is that may be away.
 */
final class WatchedBudgets implements BudgetStore {

	private final BudgetStore store;

	private final StoreWatch watch = new StoreWatch();

	WatchedBudgets(BudgetStore store) {
		this.store = store;
	}

	@Override
	public Answer reserve(String key, BigDecimal amount) {
		return this.watch.use(() -> this.store.reserve(key, amount));
	}

	@Override
	public Answer take(String key, BigDecimal amount) {
		return this.watch.use(() -> this.store.take(key, amount));
	}

	@Override
	public Answer look(String key, BigDecimal amount) {
		return this.watch.use(() -> this.store.look(key, amount));
	}

	@Override
	public void settle(Place place, boolean counts) {
		this.watch.run(() -> this.store.settle(place, counts));
	}

	@Override
	public Answer check(String key) {
		return this.watch.use(() -> this.store.check(key));
	}

	@Override
	public boolean add(String key, BigDecimal amount) {
		return this.watch.use(() -> this.store.add(key, amount));
	}

	@Override
	public HookHealth.Report health() {
		return this.watch.health();
	}

}
