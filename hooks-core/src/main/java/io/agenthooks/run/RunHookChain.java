package io.agenthooks.run;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.Gate;
import io.agenthooks.chain.HookChain;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.Nesting;
import io.agenthooks.chain.Passage;
import io.agenthooks.chain.Probe;

/**
 * Asks the hooks whether a run may begin, and tells them how it ended:
 * <ol>
 * <li>The run is refused at once if it was aborted.</li>
 * <li>Pre-run hooks are asked one after the other. The first to deny or abort blocks the
 * run. A hook that fails denies.</li>
 * <li>The agent runs, or an exception says why not.</li>
 * <li>Post-run hooks learn how the run ended, whatever happened.</li>
 * </ol>
 * The chain blocks the calling thread and starts none. It is safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public final class RunHookChain extends HookChain<AgentRun, RunKind.Answer, RunDecision, RunEvent> {

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
	 * @param listener gets every event, or {@code null} for none
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public RunHookChain(List<HookEntry<PreRunHook>> preRun, List<HookEntry<PostRunHook>> postRun,
			@Nullable RunListener listener, AbortedRuns abortedRuns) {
		super(new Gate<>(RunKind.instance(), RunKind.hooks(preRun, postRun), listener, null, abortedRuns));
	}

	/**
	 * Put other hooks into the place of all present ones. Runs that are under way keep
	 * the hooks that they began with.
	 * @param preRun the hooks that decide before a run begins, in order
	 * @param postRun the hooks that learn how a run ended, in order
	 */
	public void replaceEntries(List<HookEntry<PreRunHook>> preRun, List<HookEntry<PostRunHook>> postRun) {
		this.gate.setHooks(RunKind.hooks(preRun, postRun));
	}

	/**
	 * Whether there is no hook. Some may watch nevertheless.
	 * @return {@code true} if runs go their way
	 */
	public boolean isEmpty() {
		return this.gate.getHooks().isEmpty();
	}

	/**
	 * Whether there is neither a hook nor an active watch.
	 * @return {@code true} if the chain can be skipped
	 */
	public boolean isIdle() {
		return isEmpty() && !this.gate.isWatchedWithoutHooks();
	}

	/**
	 * Whether there is neither a hook nor any watch.
	 * @return {@code true} if the chain can be skipped until these change
	 */
	public boolean isUnused() {
		return isEmpty() && !this.gate.canBeWatchedWithoutHooks();
	}

	/**
	 * Ask the hooks whether a run may begin.
	 * @param run the run
	 * @return the run in progress, which the caller ends by {@code finish}, {@code fail}
	 * or {@code cancel}
	 * @throws RunBlockedException if a hook denies or aborts
	 */
	public RunInProgress begin(AgentRun run) {
		if (Probe.deny(this)) {
			throw new RunBlockedException("probe", "it only proves the gate");
		}
		Nesting nesting = Nesting.ofThisThread();
		String root = nesting.rootRunAround(run.context());
		AgentRun rooted = (root != null) ? new AgentRun(run.id(), run.prompt(), run.context().withRootRunId(root))
				: run;
		nesting.enter();
		try {
			Passage<AgentRun, RunKind.Answer, RunDecision, RunEvent> passage = this.gate.enter(rooted);
			passage.begin(nesting, null);
			return new RunInProgress(passage);
		}
		finally {
			nesting.leave();
		}
	}

}
