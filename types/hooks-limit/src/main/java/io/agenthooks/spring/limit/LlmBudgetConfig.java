package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code budget} hook around model calls, as written. What is
 * {@code null} was not written, and its default holds.
 *
 * @param limit How much model calls may use up in all: a number of calls, of tokens, or
 * an amount of money. Required.
 * @param sum What is added up. Calls are counted unless set.
 * @param per After which time the budget is new: day, week, month or year of the
 * calendar; or the session, run, user, agent, workspace or claim:name that has one budget
 * which does not come back. Required.
 * @param timeZone Time zone in which a day begins, such as "Europe/Berlin".
 * @param key Which calls use up the same budget: those of the same session, run, user,
 * agent, workspace or claim:name, of the same of several of them, or all.
 * @param missing What becomes of a call that has no such part, such as one without a
 * user.
 * @param then What becomes of a call when the budget is used up.
 * @param warnAt Share of the budget, such as 0.8, from which on the model reads how much
 * is left.
 * @param prices Prices of models, for 'sum: cost'; of several that match, the first.
 * @param defaultPrice Price of all other models, whose calls are denied without it.
 * @param unknownUsage Number of tokens that a call counts of which nobody says how many
 * it used, as when a stream is cancelled.
 * @param maxKeys Number of keys that have a budget at most. A call of one more is denied.
 * @param forgetAfter Time without a call after which a budget that does not come back by
 * itself, such as that of a session, is forgotten; without a unit in seconds.
 */
record LlmBudgetConfig(@Nullable BigDecimal limit, @Nullable Sum sum, @Nullable String per, @Nullable String timeZone,
		@Nullable List<String> key, @Nullable OnMissingKey missing, @Nullable Then then, @Nullable BigDecimal warnAt,
		@Nullable List<ModelPrice> prices, @Nullable Price defaultPrice, @Nullable Integer unknownUsage,
		@Nullable Integer maxKeys, @Nullable Duration forgetAfter) {

	/** The sum of a budget. */
	enum Sum {

		/**
		 * Tokens, of the prompt and of the answer.
		 */
		TOKENS,

		/**
		 * Tokens times their price.
		 */
		COST

	}

	/** The consequence for a call when the budget is used up. */
	enum Then {

		/**
		 * The agent gets the reason in the place of the answer.
		 */
		DENY,

		/**
		 * The turn ends.
		 */
		ABORT

	}

	/**
	 * The price of models.
	 *
	 * @param model Glob of names of models. Required.
	 * @param input Price of a million tokens of prompts. Required.
	 * @param output Price of a million tokens of answers. Required.
	 */
	record ModelPrice(@Nullable String model, @Nullable BigDecimal input, @Nullable BigDecimal output) {
	}

	/**
	 * The price of all other models.
	 *
	 * @param input Price of a million tokens of prompts. Required.
	 * @param output Price of a million tokens of answers. Required.
	 */
	record Price(@Nullable BigDecimal input, @Nullable BigDecimal output) {
	}

}
