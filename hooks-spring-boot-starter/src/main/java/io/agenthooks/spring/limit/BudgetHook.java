package io.agenthooks.spring.limit;

import io.agenthooks.spring.ended.LimitedHook;

/**
 * A hook that limits what calls use up.
 */
interface BudgetHook extends LimitedHook {

	/**
	 * What is left of its budgets.
	 */
	BudgetLeft left();

	@Override
	default double remainingCalls() {
		return left().least();
	}

	@Override
	default String limitStore() {
		return left().store();
	}

	@Override
	default void tellLeft(Listener listener) {
		left().notes().tell(listener);
	}

}
