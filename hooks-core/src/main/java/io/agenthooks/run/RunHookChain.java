package io.agenthooks.run;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.chain.ChainKind;
import io.agenthooks.chain.Gate;
import io.agenthooks.chain.HookEntry;

/**
 * Asks the hooks whether a run may begin, and tells them how it ended. It blocks the
 * calling thread and starts none. It is safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class RunHookChain {

	final List<HookEntry<PreRunHook>> preRun;

	final List<HookEntry<PostRunHook>> postRun;

	private final Gate<AgentRun, RunDecision, RunEvent> gate;

	/**
	 * Create a chain of hooks for all runs.
	 * @param preRun the hooks that decide before a run begins, in order
	 * @param postRun the hooks that learn how a run ended, in order
	 */
	public RunHookChain(List<? extends PreRunHook> preRun, List<? extends PostRunHook> postRun) {
		this(preRun.stream().map(HookEntry::<PreRunHook>of).toList(),
				postRun.stream().map(HookEntry::<PostRunHook>of).toList(), null, new AbortedRuns());
	}

	/**
	 * Create a chain.
	 * @param preRun the hooks that decide before a run begins, in order
	 * @param postRun the hooks that learn how a run ended, in order
	 * @param listener who hears of everything that happens, or {@code null} for nobody
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public RunHookChain(List<HookEntry<PreRunHook>> preRun, List<HookEntry<PostRunHook>> postRun,
			@Nullable RunListener listener, AbortedRuns abortedRuns) {
		this.preRun = List.copyOf(preRun);
		this.postRun = List.copyOf(postRun);
		Stream.of(this.preRun, this.postRun)
			.flatMap(List::stream)
			.forEach((entry) -> BuiltInDecider.requireFree(entry.name()));
		this.gate = new Gate<>(new Kind(), listener, abortedRuns);
	}

	/**
	 * Whether there is no hook, so that nobody need ask.
	 * @return {@code true} if runs go their way whatever they are
	 */
	public boolean isEmpty() {
		return this.preRun.isEmpty() && this.postRun.isEmpty();
	}

	/**
	 * Ask the hooks whether a run may begin.
	 * @param run the run
	 * @return the run in progress, which the caller ends by {@code finish}, {@code fail}
	 * or {@code cancel}
	 * @throws RunBlockedException if a hook denies or aborts
	 */
	public RunInProgress begin(AgentRun run) {
		RunInProgress progress = new RunInProgress(this, this.gate.enter(run));
		progress.begin();
		return progress;
	}

	/**
	 * What is particular to runs.
	 */
	private static final class Kind implements ChainKind<AgentRun, RunDecision, RunEvent> {

		@Override
		public String noun() {
			return "run";
		}

		@Override
		public RunDecision approve() {
			return RunDecision.approve();
		}

		@Override
		public RunDecision deny(String reason) {
			return RunDecision.deny(reason);
		}

		@Override
		public RunDecision abortRun(String reason) {
			return RunDecision.abortRun(reason);
		}

		@Override
		public RunEvent hookFailed(AgentRun run, String hook, String failure) {
			return new RunEvent.HookFailed(run, hook, failure);
		}

		@Override
		public RunEvent failedOpen(AgentRun run, String hook, String failure) {
			return new RunEvent.FailedOpen(run, hook, failure);
		}

	}

}
