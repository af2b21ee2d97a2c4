package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.ToolHookDecorator;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ServerAwareHook;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Puts around a hook what its options want, the same for all hooks. From the inside out:
 * its limit of time, what measures the hook itself, its name, what happens when it fails,
 * whether its decision counts, which calls it is for.
 */
final class ToolHookFitting {

	private final List<ToolHookDecorator> decorators;

	private final ExecutorService timeLimited = TimeLimit.threads();

	ToolHookFitting(List<ToolHookDecorator> decorators) {
		this.decorators = decorators;
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
			fitted.add(new Fitted(candidate.in(ToolHooks.Phase.PRE_CALL), fitPreCall(hook, candidate)));
		}
		if (phases.contains(ToolHooks.Phase.RESULT) && candidate.hook() instanceof ToolResultHook hook) {
			fitted.add(new Fitted(candidate.in(ToolHooks.Phase.RESULT), fitResult(hook, candidate)));
		}
		if (phases.contains(ToolHooks.Phase.POST_CALL) && candidate.hook() instanceof PostToolHook hook) {
			fitted.add(new Fitted(candidate.in(ToolHooks.Phase.POST_CALL), fitPostCall(hook, candidate)));
		}
		return fitted;
	}

	private PreToolHook fitPreCall(PreToolHook declared, Candidate candidate) {
		ToolHookOptions options = candidate.options();
		PreToolHook original = (options.mcpServers() != null && declared instanceof ServerAwareHook aware)
				? aware.forNamedServers() : declared;
		PreToolHook hook = original;
		TimeLimit limit = limit(candidate);
		if (limit != null) {
			hook = new TimeLimitedPreToolHook(hook, limit);
		}
		for (ToolHookDecorator decorator : this.decorators) {
			hook = decorator.decoratePreCall(candidate.name(), candidate.type(), hook);
			if (hook.isRepeatable() != original.isRepeatable()) {
				throw new IllegalStateException("The decorator '" + decorator.getClass().getName()
						+ "' changes whether the hook '" + candidate.name()
						+ "' is asked again about changed arguments. Make its hook as repeatable as the one it decorates.");
			}
		}
		if (isUnscoped(hook, original)) {
			hook = PreToolHook.forTools(original.tools(), hook);
		}
		hook = PreToolHook.named(candidate.name(), hook);
		if (candidate.failsOpen()) {
			hook = PreToolHook.failOpen(hook);
		}
		if (options.mode() == ToolHookOptions.Mode.OBSERVE) {
			hook = PreToolHook.observeOnly(hook);
		}
		Predicate<CallContext> contexts = options.contexts();
		if (contexts != null) {
			hook = PreToolHook.forContexts(contexts, hook);
		}
		return (isForAllTools(options)) ? hook : PreToolHook.forTools(options.tools(), hook);
	}

	private ToolResultHook fitResult(ToolResultHook original, Candidate candidate) {
		ToolHookOptions options = candidate.options();
		ToolResultHook hook = original;
		TimeLimit limit = limit(candidate);
		if (limit != null) {
			hook = new TimeLimitedToolResultHook(hook, limit);
		}
		for (ToolHookDecorator decorator : this.decorators) {
			hook = decorator.decorateResult(candidate.name(), candidate.type(), hook);
		}
		if (isUnscoped(hook, original)) {
			hook = ToolResultHook.forTools(original.tools(), hook);
		}
		hook = ToolResultHook.named(candidate.name(), hook);
		if (candidate.failsOpen()) {
			hook = ToolResultHook.failOpen(hook);
		}
		if (options.mode() == ToolHookOptions.Mode.OBSERVE) {
			hook = ToolResultHook.observeOnly(hook);
		}
		Predicate<CallContext> contexts = options.contexts();
		if (contexts != null) {
			hook = ToolResultHook.forContexts(contexts, hook);
		}
		return (isForAllTools(options)) ? hook : ToolResultHook.forTools(options.tools(), hook);
	}

	private PostToolHook fitPostCall(PostToolHook original, Candidate candidate) {
		PostToolHook hook = original;
		for (ToolHookDecorator decorator : this.decorators) {
			hook = decorator.decoratePostCall(candidate.name(), candidate.type(), hook);
		}
		if (isUnscoped(hook, original)) {
			hook = PostToolHook.forTools(original.tools(), hook);
		}
		hook = PostToolHook.named(candidate.name(), hook);
		Predicate<CallContext> contexts = candidate.options().contexts();
		if (contexts != null) {
			hook = PostToolHook.forContexts(contexts, hook);
		}
		return (isForAllTools(candidate.options())) ? hook : PostToolHook.forTools(candidate.options().tools(), hook);
	}

	private @Nullable TimeLimit limit(Candidate candidate) {
		return (candidate.options().timeout() != null && !candidate.ownTimeout())
				? new TimeLimit(candidate.name(), candidate.options().timeout(), this.timeLimited) : null;
	}

	/**
	 * Whether a decorator forgot for which tools the hook is, as a lambda does.
	 */
	private static boolean isUnscoped(ToolHook decorated, ToolHook original) {
		return ToolHook.ALL_TOOLS.equals(decorated.tools()) && !ToolHook.ALL_TOOLS.equals(original.tools());
	}

	private static boolean isForAllTools(ToolHookOptions options) {
		return options.match() == null && options.matcher() == null && options.except() == null
				&& options.mcpServers() == null;
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
	 * A hook with all that is around it.
	 *
	 * @param listed what is known about it
	 * @param hook the hook of its phase
	 */
	record Fitted(ToolHooks.Listed listed, ToolHook hook) {
	}

}
