package io.agenthooks.run;

/**
 * Learns how a run ended. Every such hook sees every run exactly once, including the ones
 * that a {@link PreRunHook} blocked. What it throws is logged and changes nothing.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface PostRunHook extends RunHook {

	/**
	 * Learn how a run ended.
	 * @param outcome how it ended
	 */
	void postRun(RunOutcome outcome);

}
