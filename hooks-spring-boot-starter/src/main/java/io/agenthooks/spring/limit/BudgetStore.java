package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/**
 * Keeps how much of its budget each key has used up. A call that passes has its amount
 * reserved until it is known whether it counts. Amounts are added exactly.
 */
interface BudgetStore {

	/**
	 * Reserve an amount, if so much is left.
	 * @param key whose budget it is
	 * @param amount the amount, from zero on
	 * @return what came of it
	 */
	Answer reserve(String key, BigDecimal amount);

	/**
	 * Use up an amount, if so much is left, which is seldom given back. To settle that it
	 * counts takes nothing then.
	 * @param key whose budget it is
	 * @param amount the amount, from zero on
	 * @return what came of it
	 */
	default Answer take(String key, BigDecimal amount) {
		return reserve(key, amount);
	}

	/**
	 * Say what {@link #reserve} would, without a trace.
	 */
	Answer look(String key, BigDecimal amount);

	/**
	 * Say whether an amount that was reserved or taken counts. The first answer holds.
	 */
	void settle(Place place, boolean counts);

	/**
	 * Say whether anything is left, and make an account for {@link #add} to count in.
	 * @param key whose budget it is
	 * @return what came of it; nothing is reserved
	 */
	Answer check(String key);

	/**
	 * Count what was used up already, also beyond the limit.
	 * @return whether there was room for the account
	 */
	boolean add(String key, BigDecimal amount);

	/**
	 * How the store is, as far as its last use told.
	 * @return what is known
	 */
	default HookHealth.Report health() {
		return new HookHealth.Report(HookHealth.State.UP, false, Map.of());
	}

	/**
	 * An amount that is reserved or taken.
	 */
	interface Place {

	}

	/**
	 * What came of it.
	 */
	sealed interface Answer {

	}

	/**
	 * There is enough.
	 *
	 * @param place what was reserved, or {@code null} if nobody wanted that
	 * @param left how much is left then
	 * @param warns whether that is so little that the model is to know it
	 * @param first whether that is so for the first time
	 */
	record Enough(@Nullable Place place, BigDecimal left, boolean warns, boolean first) implements Answer {
	}

	/**
	 * There is too little.
	 *
	 * @param left how much there is
	 * @param newIn the time until the budget is new, or {@code null} if that is never
	 * @param running whether there is enough if calls that still run do not count in the
	 * end
	 */
	record UsedUp(BigDecimal left, @Nullable Duration newIn, boolean running) implements Answer {
	}

	/**
	 * So many others have an account that there is none for this key.
	 */
	record Full() implements Answer {
	}

}
