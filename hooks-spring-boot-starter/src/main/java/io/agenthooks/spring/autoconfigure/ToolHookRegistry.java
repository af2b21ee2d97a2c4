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
import io.agenthooks.spring.ToolHooks.Phase;
import io.agenthooks.toolcall.PostToolHook;
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

	private final EntryMaker<ToolHook> entries;

	private final AssembledHooks<ToolHook> assembled;

	private final ToolHookChain chain;

	private final List<AssembledHook<ToolHook>> registered = new ArrayList<>();

	private @Nullable String refusal;

	private List<String> unguarded = List.of();

	ToolHookRegistry(EntryMaker<ToolHook> entries, AssembledHooks<ToolHook> assembled, ToolHookChain chain) {
		this.entries = entries;
		this.assembled = assembled;
		this.chain = chain;
	}

	/**
	 * What adds hooks to a chain. To one that is not of the assembly none can be added,
	 * nor is it known which it has.
	 */
	static ToolHookRegistry of(HookAssembly<ToolHook> assembly, ToolHookChain chain) {
		if (assembly.made(chain)) {
			return new ToolHookRegistry(assembly.entries(), assembly.hooks(), chain);
		}
		ToolHookRegistry registry = new ToolHookRegistry(assembly.entries(), new AssembledHooks<>(List.of()), chain);
		registry.refuseHooks("a ToolHookChain bean of the application is in the place of the starter's");
		return registry;
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
		HookCandidate<ToolHook> candidate = HookCandidate.registered(hook, name, origin, options);
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
		List<AssembledHook<ToolHook>> added = this.entries.make(candidate);
		this.registered.addAll(added);
		replace();
		logger.info("The hook '{}' is in force (from {})", candidate.name(), SafeText.name(origin));
		// The same hook may come again under the same name, which is another registration
		Set<AssembledHook<ToolHook>> these = Collections.newSetFromMap(new IdentityHashMap<>());
		these.addAll(added);
		return () -> remove(these::contains);
	}

	private void check(ToolHook hook, ToolHookOptions options) {
		List<Problem> problems = new ArrayList<>(options.problems());
		if (!this.entries.isDecider(hook) && (options.mode() != ToolHookOptions.Mode.ENFORCE
				|| options.failOpen() != null || options.timeout() != null)) {
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

	private synchronized int remove(Predicate<AssembledHook<ToolHook>> which) {
		List<String> names = this.registered.stream()
			.filter(which)
			.map((hook) -> hook.listed().name())
			.distinct()
			.toList();
		if (this.registered.removeIf(which)) {
			replace();
			logger.info("No longer in force: {}", names);
		}
		return names.size();
	}

	@Override
	public synchronized List<Listed> list() {
		return hooks().list();
	}

	private void replace() {
		AssembledHooks<ToolHook> hooks = hooks();
		this.chain.replaceEntries(hooks.entries(Phase.PRE_CALL, PreToolHook.class),
				hooks.entries(Phase.RESULT, ToolResultHook.class), hooks.entries(Phase.POST_CALL, PostToolHook.class));
	}

	private AssembledHooks<ToolHook> hooks() {
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
