package io.agenthooks.spring.limit;

import java.util.function.Consumer;

import io.agenthooks.spring.ended.LimitLeft;
import io.agenthooks.spring.ended.LimitedHook;

/**
 * A hook that limits what calls use up.
 */
interface BudgetHook extends LimitedHook {

	/** The rest of its budgets. */
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
	default void tellLeft(Consumer<LimitLeft> listener) {
		left().notes().tell(listener);
	}

}
