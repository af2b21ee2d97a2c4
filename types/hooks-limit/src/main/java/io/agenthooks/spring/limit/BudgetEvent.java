package io.agenthooks.spring.limit;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;

/**
 * The news of a budget, as an event of the application. It holds neither arguments nor
 * claims.
 *
 * @since 0.1.0
 */
public sealed interface BudgetEvent {

	/**
	 * The hook that keeps the budget.
	 * @return its name
	 */
	String hook();

	/**
	 * Return the budget in words, such as "2000 of the argument 'amount' per day for this
	 * user".
	 * @return the words, of the configuration alone
	 */
	String budget();

	/**
	 * Return the caller.
	 * @return the caller
	 */
	Caller caller();

	/**
	 * A budget has come to the share from which on models are warned. Published once for
	 * a day, a session or whatever else has the budget.
	 *
	 * @param hook the name of the hook
	 * @param budget which budget, in words
	 * @param caller who made the call
	 * @since 0.1.0
	 */
	record Warned(String hook, String budget, Caller caller) implements BudgetEvent {
	}

	/**
	 * Too little was left for a call: it is denied or aborted, or a person is asked.
	 * Published for each such call, also by a hook that only observes.
	 *
	 * @param hook the name of the hook
	 * @param budget which budget, in words
	 * @param caller who made the call
	 * @since 0.1.0
	 */
	record Exceeded(String hook, String budget, Caller caller) implements BudgetEvent {
	}

	/**
	 * The caller of a call.
	 *
	 * @param user the person that the agent works for, or {@code null} if it is unknown
	 * @param agent the name of the agent, or {@code null} if it has none
	 * @param sessionId the conversation, or {@code null} if there is none
	 * @param runId the run of the agent, or {@code null} if nobody counts runs
	 * @since 0.1.0
	 */
	record Caller(@Nullable String user, @Nullable String agent, @Nullable String sessionId, @Nullable String runId) {

		static Caller of(CallContext context) {
			return new Caller(context.user(), context.agent(), context.sessionId(), context.runId());
		}

	}

}
