package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.flow.FlowStore;

/**
 * Makes the stores of hooks.
 */
@FunctionalInterface
interface LimitStores {

	/**
	 * Make a store.
	 * @param hook the name of the hook, by which nodes that share a store find its limits
	 * @param groups the limits, by what they count
	 * @param forgetAfter how long after its last call a key is kept of which a limit does
	 * not come back by itself
	 * @param maxKeys how many keys are kept at most, of each group
	 * @return the store
	 */
	LimitStore make(String hook, List<LimitGroup> groups, Duration forgetAfter, int maxKeys);

	/**
	 * What kind of stores these are.
	 * @return {@code MEMORY}, unless nodes share them
	 */
	default LimitConfig.Store kind() {
		return LimitConfig.Store.MEMORY;
	}

	/**
	 * Make a store of budgets: in memory, unless nodes share it.
	 * @param hook the name of the hook, by which nodes that share a store find its
	 * budgets
	 * @param what what is used up, in words
	 * @param terms how much may be used up, and by whom
	 * @param clock tells the time of the calendar, if the store has none
	 * @return the store
	 */
	default BudgetStore budgets(String hook, String what, BudgetTerms terms, InstantSource clock) {
		return new BudgetAccounts(terms, clock);
	}

	/**
	 * Make what keeps the calls that run at the same time: in memory, unless nodes share
	 * it.
	 * @param hook the name of the hook, by which nodes that share a store find its calls
	 * @param settings how many calls run
	 * @return what keeps them
	 * @throws InvalidHookConfigException if the store cannot keep so many
	 */
	default Slots slots(String hook, ConcurrencySettings settings) {
		return new MemorySlots(settings.maxConcurrent());
	}

	/**
	 * Make what keeps the calls of runs, to find loops in them: in memory, unless nodes
	 * share it.
	 * @param hook the name of the hook, by which nodes that share a store find its runs
	 * @param settings what a loop is
	 * @return what keeps them
	 */
	default LoopStore loops(String hook, LoopSettings settings) {
		return new MemoryLoops(settings, System::nanoTime);
	}

	/**
	 * Make what keeps what sessions have read, for a rule on the flow of data.
	 * @param rule the name of the rule and what it says
	 * @return the store, or {@code null} if nodes share none
	 * @throws InvalidLimitStoreException if it cannot be used
	 */
	default @Nullable FlowStore flow(String rule) {
		return null;
	}

}
