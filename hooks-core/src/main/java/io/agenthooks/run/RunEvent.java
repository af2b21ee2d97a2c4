package io.agenthooks.run;

/**
 * Something that happened to a run. Every run begins with {@link Started} and ends with
 * exactly one {@link Ended}.
 * <p>
 * Events hold prompts and results, which may be secret; their {@code toString()} does not
 * tell them.
 *
 * @since 0.1.0
 */
public sealed interface RunEvent {

	/**
	 * The run.
	 * @return the run
	 */
	AgentRun run();

	/**
	 * The run is to begin; no hook was asked yet.
	 *
	 * @param run the run
	 * @since 0.1.0
	 */
	record Started(AgentRun run) implements RunEvent {
	}

	/**
	 * A hook threw or decided nothing.
	 *
	 * @param run the run
	 * @param hook the name of the hook
	 * @param failure the class of what it threw, or what else was wrong; its message may
	 * be secret
	 * @since 0.1.0
	 */
	record HookFailed(AgentRun run, String hook, String failure) implements RunEvent {
	}

	/**
	 * A hook failed open: the run begins.
	 *
	 * @param run the run
	 * @param hook the name of the hook
	 * @param failure what failed, without secrets
	 * @since 0.1.0
	 */
	record FailedOpen(AgentRun run, String hook, String failure) implements RunEvent {
	}

	/**
	 * The run is over: the one last event of every run.
	 *
	 * @param outcome how it ended, as post-run hooks saw it
	 * @since 0.1.0
	 */
	record Ended(RunOutcome outcome) implements RunEvent {

		@Override
		public AgentRun run() {
			return this.outcome.run();
		}

	}

}
