package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.flow.FlowStore;

/**
 * Stores that other applications use, too, so that each finds its own data only.
 *
 * @param stores the stores
 * @param application tells the data of this application from those of others
 */
record NamedLimitStores(LimitStores stores, String application) implements LimitStores {

	private String own(String name) {
		return this.application.length() + ":" + this.application + "\n" + name;
	}

	@Override
	public LimitStore make(String hook, List<LimitGroup> groups, Duration forgetAfter, int maxKeys) {
		return this.stores.make(own(hook), groups, forgetAfter, maxKeys);
	}

	@Override
	public LimitConfig.Store kind() {
		return this.stores.kind();
	}

	@Override
	public BudgetStore budgets(String hook, String what, BudgetTerms terms, InstantSource clock) {
		return this.stores.budgets(own(hook), what, terms, clock);
	}

	@Override
	public Slots slots(String hook, ConcurrencySettings settings) {
		return this.stores.slots(own(hook), settings);
	}

	@Override
	public LoopStore loops(String hook, LoopSettings settings) {
		return this.stores.loops(own(hook), settings);
	}

	@Override
	public @Nullable FlowStore flow(String rule) {
		return this.stores.flow(own(rule));
	}

}
