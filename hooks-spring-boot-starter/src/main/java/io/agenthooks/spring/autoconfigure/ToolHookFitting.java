package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.chain.HookAround;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ServerAwareHook;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Makes of a hook and its options the entries of a chain, the same for all hooks.
 */
final class ToolHookFitting {

	private final List<HookAroundProvider> arounds;

	private final ExecutorService timeLimited = TimeLimit.threads();

	ToolHookFitting(List<HookAroundProvider> arounds) {
		this.arounds = arounds;
	}

	/**
	 * Fit a hook for every phase that it has a part in.
	 */
	List<Fitted> fit(Candidate candidate) {
		return fit(candidate, EnumSet.allOf(ToolHooks.Phase.class));
	}

	/**
	 * Fit a hook for those of these phases that it has a part in.
	 */
	List<Fitted> fit(Candidate candidate, Set<ToolHooks.Phase> phases) {
		List<Fitted> fitted = new ArrayList<>();
		if (phases.contains(ToolHooks.Phase.PRE_CALL) && candidate.hook() instanceof PreToolHook hook) {
			fitted.add(fit(narrowed(hook, candidate.options()), candidate, ToolHooks.Phase.PRE_CALL));
		}
		if (phases.contains(ToolHooks.Phase.RESULT) && candidate.hook() instanceof ToolResultHook) {
			fitted.add(fit(candidate.hook(), candidate, ToolHooks.Phase.RESULT));
		}
		if (phases.contains(ToolHooks.Phase.POST_CALL) && candidate.hook() instanceof PostToolHook) {
			fitted.add(fit(candidate.hook(), candidate, ToolHooks.Phase.POST_CALL));
		}
		if (!fitted.isEmpty()) {
			join(candidate.name(), candidate.hook());
		}
		return fitted;
	}

	private Fitted fit(ToolHook hook, Candidate candidate, ToolHooks.Phase phase) {
		ToolHookOptions options = candidate.options();
		HookEntry<ToolHook> entry = HookEntry.of(hook).named(candidate.name()).forTargets(options.tools());
		Predicate<CallContext> contexts = options.contexts();
		if (contexts != null) {
			entry = entry.forContexts(contexts);
		}
		if (phase != ToolHooks.Phase.POST_CALL) {
			if (candidate.failsOpen()) {
				entry = entry.failingOpen();
			}
			if (options.mode() == ToolHookOptions.Mode.OBSERVE) {
				entry = entry.observing();
			}
		}
		return new Fitted(candidate.in(phase), entry.askedBy(around(candidate, phase)));
	}

	private static ToolHook narrowed(PreToolHook hook, ToolHookOptions options) {
		return (options.mcpServers() != null && hook instanceof ServerAwareHook aware) ? aware.forNamedServers() : hook;
	}

	/**
	 * What stands around a hook, from the inside out: its limit of time, then what
	 * measures it.
	 */
	private HookAround around(Candidate candidate, ToolHooks.Phase phase) {
		HookAround around = HookAround.NOTHING;
		if (phase != ToolHooks.Phase.POST_CALL && candidate.options().timeout() != null && !candidate.ownTimeout()) {
			around = new TimeLimit(candidate.name(), candidate.options().timeout(), this.timeLimited);
			join(candidate.name(), around);
		}
		for (HookAroundProvider provider : this.arounds) {
			around = around.within(provider.around(candidate.name(), candidate.type()));
		}
		return around;
	}

	private void join(String name, Object part) {
		this.arounds.forEach((provider) -> provider.join(name, part));
	}

	/**
	 * Let no time-limited hook begin any more, and interrupt those that run.
	 */
	void close() {
		this.timeLimited.shutdownNow();
	}

	/**
	 * A hook that is to be fitted.
	 *
	 * @param hook the hook
	 * @param name its name
	 * @param type its type
	 * @param origin where it comes from
	 * @param options what is said about it
	 * @param ownFailOpen whether the hook itself sees to {@code fail_open}
	 * @param ownTimeout whether the hook itself sees to {@code timeout}
	 */
	record Candidate(ToolHook hook, String name, String type, String origin, ToolHookOptions options,
			boolean ownFailOpen, boolean ownTimeout) {

		Candidate {
			name = SafeText.name(name);
		}

		boolean failsOpen() {
			return Boolean.TRUE.equals(this.options.failOpen()) && !this.ownFailOpen;
		}

		ToolHooks.Listed in(ToolHooks.Phase phase) {
			return new ToolHooks.Listed(phase, this.name, this.type, this.origin, this.options);
		}

	}

	/**
	 * A hook as an entry of a chain.
	 *
	 * @param listed what is known about it
	 * @param entry its entry in the list of its phase
	 */
	record Fitted(ToolHooks.Listed listed, HookEntry<ToolHook> entry) {
	}

}
