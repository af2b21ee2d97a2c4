package io.agenthooks.run;

/**
 * Decides about a run before any model is asked, and may add to what the model knows.
 * <p>
 * A hook is called by many threads at once. One that throws or returns {@code null}
 * denies the run.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface PreRunHook extends RunHook {

	/**
	 * Decide about a run.
	 * @param run the run
	 * @return the decision
	 */
	RunDecision preRun(AgentRun run);

}
