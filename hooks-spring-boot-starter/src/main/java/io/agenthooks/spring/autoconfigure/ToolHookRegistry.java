package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Adds hooks to those of the application and its configuration, and gives the chain a new
 * set of hooks whenever they change.
 */
final class ToolHookRegistry implements ToolHooks {

	private static final Logger logger = LoggerFactory.getLogger(ToolHookRegistry.class);

	private static final String TYPE = "registered";

	private final ToolHookFitting fitting;

	private final FittedToolHooks assembled;

	private final ToolHookChain chain;

	private final List<ToolHookFitting.Fitted> registered = new ArrayList<>();

	private @Nullable String refusal;

	private List<String> unguarded = List.of();

	ToolHookRegistry(ToolHookFitting fitting, FittedToolHooks assembled, ToolHookChain chain) {
		this.fitting = fitting;
		this.assembled = assembled;
		this.chain = chain;
	}

	/**
	 * Refuse hooks from now on, because calls would not pass them.
	 */
	synchronized void refuseHooks(String reason) {
		this.refusal = reason;
	}

	/**
	 * Know executors whose calls do not pass the chain, whatever is done to it.
	 */
	synchronized void knowUnguarded(List<String> executors) {
		this.unguarded = executors;
		refuseHooks("executors are not guarded: " + executors);
	}

	@Override
	public synchronized Registration register(String name, ToolHook hook, ToolHookOptions options, String origin) {
		ToolHookFitting.Candidate candidate = new ToolHookFitting.Candidate(hook, name, TYPE, origin, options, false,
				false);
		if (this.refusal != null) {
			throw new IllegalStateException("The hook '" + candidate.name() + "' would not be asked: " + this.refusal);
		}
		Objects.requireNonNull(hook, "'hook' must not be null");
		Objects.requireNonNull(origin, "'origin' must not be null");
		if (candidate.name().isEmpty()) {
			throw new IllegalArgumentException("'name' must not be blank");
		}
		BuiltInDecider.requireFree(candidate.name());
		if (hooks().has(candidate.name())) {
			throw new IllegalArgumentException("There is a hook '" + candidate.name() + "' already");
		}
		check(hook, options);
		List<ToolHookFitting.Fitted> added = this.fitting.fit(candidate);
		this.registered.addAll(added);
		hooks().putInto(this.chain);
		logger.info("The hook '{}' is in force (from {})", candidate.name(), SafeText.name(origin));
		// The same hook may come again under the same name, which is another registration
		Set<ToolHookFitting.Fitted> these = Collections.newSetFromMap(new IdentityHashMap<>());
		these.addAll(added);
		return () -> remove(these::contains);
	}

	private static void check(ToolHook hook, ToolHookOptions options) {
		List<Problem> problems = new ArrayList<>(options.problems());
		boolean decides = hook instanceof PreToolHook || hook instanceof ToolResultHook;
		if (!decides && (options.mode() != ToolHookOptions.Mode.ENFORCE || options.failOpen() != null
				|| options.timeout() != null)) {
			problems.add(new Problem(List.of(),
					"has a mode, a fail mode or a timeout, which mean nothing to a hook that only learns how calls ended",
					"Leave them out."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	@Override
	public boolean unregister(String name) {
		return remove((hook) -> hook.listed().name().equals(SafeText.name(name))) > 0;
	}

	@Override
	public int clear(String origin) {
		return remove((hook) -> hook.listed().origin().equals(origin));
	}

	private synchronized int remove(Predicate<ToolHookFitting.Fitted> which) {
		List<String> names = this.registered.stream()
			.filter(which)
			.map((hook) -> hook.listed().name())
			.distinct()
			.toList();
		if (this.registered.removeIf(which)) {
			hooks().putInto(this.chain);
			logger.info("No longer in force: {}", names);
		}
		return names.size();
	}

	@Override
	public synchronized List<Listed> list() {
		return hooks().list();
	}

	private FittedToolHooks hooks() {
		return this.assembled.with(this.registered);
	}

	@Override
	public synchronized void disableTools() {
		this.chain.setToolsEnabled(false);
		if (!this.unguarded.isEmpty()) {
			throw new IllegalStateException(
					"Tools are switched off, but not those of executors that are not guarded: " + this.unguarded);
		}
		logger.warn("Tools are switched off: every call is denied");
	}

	@Override
	public void enableTools() {
		logger.warn("Tools are switched on");
		this.chain.setToolsEnabled(true);
	}

	@Override
	public boolean areToolsEnabled() {
		return this.chain.isToolsEnabled();
	}

	@Override
	public boolean endRun(String run) {
		return this.chain.endRun(run);
	}

	@Override
	public boolean endSession(String session, @Nullable String user, @Nullable String agent) {
		return this.chain.endSession(session, user, agent);
	}

}
