package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.outcome.HookModes;

/** Adds hooks to those of the start, and gives the chain all whenever they change. */
abstract class RunTimeHooks<H extends Hook> implements ActiveHooks<H>, HookModes, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RunTimeHooks.class);

	private final EntryMaker<H> entries;

	private final AssembledHooks<H> assembled;

	private final Consumer<AssembledHooks<H>> chain;

	private final List<AssembledHook<H>> registered = new ArrayList<>();

	private final ObservedHooks observed = new ObservedHooks(System::nanoTime);

	private @Nullable String refusal;

	/** To a chain of the application none can be added, nor is it known which it has. */
	RunTimeHooks(HookAssembly<H> assembly, Object chain, Consumer<AssembledHooks<H>> replace) {
		this.entries = assembly.entries();
		this.chain = replace;
		if (assembly.isOwn(chain)) {
			this.assembled = assembly.hooks();
		}
		else {
			this.assembled = new AssembledHooks<>(List.of());
			this.refusal = "a %s bean of the application replaces the starter's"
				.formatted(chain.getClass().getSimpleName());
		}
	}

	final synchronized void refuseHooks(String reason) {
		this.refusal = reason;
	}

	@Override
	public final synchronized Registration register(String name, H hook, HookOptions options, String origin) {
		HookCandidate<H> candidate = HookCandidate.registered(hook, name, origin, options);
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
		List<AssembledHook<H>> added = this.entries.make(candidate);
		this.registered.addAll(added);
		this.chain.accept(hooks());
		logger.info("The hook '{}' is active (from {})", candidate.name(), SafeText.name(origin));
		// The same hook may come again under the same name, which is another registration
		Set<AssembledHook<H>> these = Collections.newSetFromMap(new IdentityHashMap<>());
		these.addAll(added);
		return () -> remove(these::contains);
	}

	private void check(H hook, HookOptions options) {
		List<Problem> problems = new ArrayList<>(this.entries.problems(options));
		if (!this.entries.isDecider(hook)
				&& (options.mode() != HookOptions.Mode.ENFORCE || options.failOpen() != null)) {
			problems.add(new Problem(List.of(),
					"has a mode or a fail mode, which mean nothing to a hook that only learns how calls ended",
					"Leave them out."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	@Override
	public final boolean unregister(String name) {
		return remove((hook) -> hook.listed().name().equals(SafeText.name(name))) > 0;
	}

	@Override
	public final int clear(String origin) {
		return remove((hook) -> hook.listed().origin().equals(origin));
	}

	private synchronized int remove(Predicate<AssembledHook<H>> which) {
		List<String> names = this.registered.stream()
			.filter(which)
			.map((hook) -> hook.listed().name())
			.distinct()
			.toList();
		if (this.registered.removeIf(which)) {
			this.chain.accept(hooks());
			logger.info("No longer active: {}", names);
		}
		return names.size();
	}

	@Override
	public final synchronized List<Listed> list() {
		return hooks().list();
	}

	final synchronized List<AssembledHook<H>> active() {
		return hooks().all();
	}

	final String kind() {
		return this.entries.kind();
	}

	@Override
	public final synchronized boolean canObserve(String hook) {
		boolean decides = this.assembled.with(this.registered).isDecider(hook);
		if (decides && this.refusal != null) {
			throw new IllegalStateException("The hook '%s' cannot be changed: %s".formatted(hook, this.refusal));
		}
		return decides;
	}

	@Override
	public final synchronized @Nullable Instant observe(String hook, Duration time, Runnable ended) {
		if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'time' must be more than zero and at most " + LONGEST);
		}
		if (!canObserve(hook)) {
			return null;
		}
		Instant until = this.observed.add(hook, time, (observed) -> over(observed, ended));
		this.chain.accept(hooks());
		logger.warn("The hook '{}' only observes until {}", hook, until);
		return until;
	}

	private void over(ObservedHooks.Observed observed, Runnable ended) {
		synchronized (this) {
			if (!this.observed.remove(observed)) {
				return;
			}
			this.chain.accept(hooks());
		}
		logger.warn("The hook '{}' decides again: the time is over", observed.hook());
		ended.run();
	}

	@Override
	public final synchronized boolean enforce(String hook) {
		boolean was = this.observed.remove(hook);
		if (was) {
			this.chain.accept(hooks());
			logger.warn("The hook '{}' decides again", hook);
		}
		return was;
	}

	@Override
	public final synchronized Map<String, Instant> observing() {
		return this.observed.all();
	}

	@Override
	public void close() {
		this.observed.close();
	}

	private AssembledHooks<H> hooks() {
		return this.assembled.with(this.registered).observing(this.observed::has);
	}

}
