package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code budget} hook around tool calls, as written. What is
 * {@code null} was not written, and its default holds.
 *
 * @param limit How much calls may use up in all: a number of calls, or of what is added
 * up. Required.
 * @param sum Argument whose number is added up, such as "args.amount". Calls are counted
 * unless set.
 * @param per After which time the budget is new: day, week, month or year of the
 * calendar; or the session, run, user, agent, workspace, tool or claim:name that has one
 * budget which does not come back. Required.
 * @param timeZone Time zone in which a day begins, such as "Europe/Berlin".
 * @param key Which calls use up the same budget: those of the same tool, session, run,
 * user, agent, workspace or claim:name, of the same of several of them, or all.
 * @param keyExpression Expression in CEL whose value is one more part of the key, over
 * what the rules of a policy see.
 * @param missing What becomes of a call that has no such part, such as one without a
 * user.
 * @param count Which calls count.
 * @param then What becomes of a call for which too little is left.
 * @param warnAt Share of the budget, such as 0.8, from which on the model reads how much
 * is left.
 * @param maxKeys Number of keys that have a budget at most. A call of one more is denied.
 * @param forgetAfter Time without a call after which a budget that does not come back by
 * itself, such as that of a session, is forgotten; without a unit in seconds.
 */
record BudgetConfig(@Nullable BigDecimal limit, @Nullable String sum, @Nullable String per, @Nullable String timeZone,
		@Nullable List<String> key, @Nullable String keyExpression, @Nullable OnMissingKey missing,
		RateLimitConfig.@Nullable Count count, RateLimitConfig.@Nullable Then then, @Nullable BigDecimal warnAt,
		@Nullable Integer maxKeys, @Nullable Duration forgetAfter) {
}
