package io.agenthooks.chain;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortedRuns;
import io.agenthooks.HookDecision;
import io.agenthooks.HookListener;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;

/**
 * Where the calls of a chain enter: what all of them share. Its hooks can be replaced as
 * a whole; a call that is under way keeps those that it began with.
 *
 * @param <C> the calls
 * @param <R> what they result in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
@SuppressWarnings("ReferenceEquality") // an approval without words is one object
public final class Gate<C extends HookedCall, R, D extends HookDecision, E> {

	private final ChainKind<C, R, D, E> kind;

	private final @Nullable HookListener<E> listener;

	private final @Nullable BiFunction<C, D, @Nullable D> person;

	private final AbortedRuns abortedRuns;

	/** Of its own, so that an application can switch it off. */
	private static final Logger denials = LoggerFactory.getLogger("io.agenthooks.denials");

	private final Map<String, WarningThrottle> warnings = new ConcurrentHashMap<>();

	private final FailureLog failures;

	private volatile HookSet<C, R, D> hooks;

	/** Why all calls are denied, if they are. */
	private volatile @Nullable String closed;

	/** Whether there is no hook, and the gate is open. */
	private volatile boolean unhooked;

	/**
	 * Create a gate.
	 * @param kind what is particular to its calls
	 * @param hooks the hooks
	 * @param listener gets every event, or {@code null} for none
	 * @param person waits for the answer of a person to the question of a hook, about the
	 * final call, or {@code null} if no hook may ask. One that neither approves,
	 * modifies, denies nor aborts denies.
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public Gate(ChainKind<C, R, D, E> kind, HookSet<C, R, D> hooks, @Nullable HookListener<E> listener,
			@Nullable BiFunction<C, D, @Nullable D> person, AbortedRuns abortedRuns) {
		this.kind = kind;
		this.failures = new FailureLog(kind.logger);
		this.hooks = hooks;
		this.unhooked = hooks.isEmpty();
		this.listener = listener;
		this.person = person;
		this.abortedRuns = Objects.requireNonNull(abortedRuns, "'abortedRuns' must not be null");
	}

	/**
	 * Put other hooks into the place of all present ones.
	 * @param hooks the hooks
	 */
	public synchronized void setHooks(HookSet<C, R, D> hooks) {
		this.hooks = hooks;
		this.unhooked = hooks.isEmpty() && this.closed == null;
	}

	/**
	 * The present hooks.
	 * @return the hooks for calls of all targets
	 */
	public HookSet<C, R, D> getHooks() {
		return this.hooks;
	}

	/**
	 * Deny all calls, or no longer. One that waits for a hook or a person is denied when
	 * that has answered; one that is carried out already goes on.
	 * @param reason why, or {@code null} to let hooks decide again
	 */
	public synchronized void setClosed(@Nullable String reason) {
		this.closed = reason;
		this.unhooked = this.hooks.isEmpty() && reason == null;
	}

	/**
	 * Whether hooks decide about calls.
	 * @return {@code false} if all calls are denied
	 */
	public boolean isOpen() {
		return this.closed == null;
	}

	/**
	 * The runs that hooks have aborted.
	 * @return the memory of them, which other gates may share
	 */
	public AbortedRuns abortedRuns() {
		return this.abortedRuns;
	}

	/**
	 * Whether every call passes, and no listener wants events.
	 * @return {@code true} if there is nothing to do about calls
	 */
	public boolean isIdle() {
		return this.unhooked && (this.listener == null || activeListener() == null) && this.abortedRuns.isEmpty();
	}

	/**
	 * Let a call enter.
	 * @param call the call
	 * @return its way through the hooks
	 */
	public Passage<C, R, D, E> enter(C call) {
		return new Passage<>(this, call, this.hooks.forCall(call), activeListener());
	}

	/**
	 * The hooks for a call that enters now.
	 * @param call the call
	 * @return those for its target
	 */
	public HookSet<C, R, D> hooksFor(C call) {
		return this.hooks.selectFor(call);
	}

	/**
	 * Let a call enter. As long as every hook only approves and no listener or hook wants
	 * the outcome, there is nothing to remember about it.
	 * @param call the call
	 * @param hooks the hooks for it
	 * @param nesting what this thread is inside of, this call included
	 * @return its way from the hook on that says something else, or {@code null} if none
	 * does: then nothing but perhaps its target objects, and its result is to be
	 * {@linkplain #finishQuietly shown} to the same hooks
	 */
	public @Nullable Admission<C, R, D, E> enterQuietly(C call, HookSet<C, R, D> hooks, Nesting nesting) {
		HookListener<E> listener = activeListener();
		Step<C, C, D>[] steps = hooks.deciding;
		if (listener != null || !hooks.isQuiet() || !admitsAll() || nesting.isTooDeep()
				|| (steps.length > 0 && this.kind.logger.isTraceEnabled())) {
			return new Passage<>(this, call, hooks, listener);
		}
		D approval = this.kind.approve();
		for (int i = 0; i < steps.length; i++) {
			@Nullable D decision = null;
			@Nullable Throwable failure = null;
			try {
				decision = steps[i].ask(call, call);
			}
			catch (Throwable ex) {
				failure = ex;
			}
			if (decision != approval && !isApproval(decision)) {
				String denial = denialOf(decision);
				if (denial != null) {
					logDenial(call, steps[i].name(), denial);
				}
				return (denial != null) ? denied(steps[i], denial)
						: new Passage<>(this, call, hooks, null).after(i, decision, failure);
			}
		}
		// Hooks may have taken long.
		return (steps.length == 0 || admitsAll()) ? null : enterApproved(call, hooks);
	}

	/**
	 * Whether a hook has nothing to say but that it would decide otherwise if it did more
	 * than observe.
	 */
	private static boolean isApproval(@Nullable HookDecision decision) {
		return decision != null && decision.verdict() == Verdict.APPROVE && decision.failure() == null
				&& decision.additionalContext() == null;
	}

	/**
	 * Why a hook denies that has nothing else to say, or {@code null}.
	 */
	private static @Nullable String denialOf(@Nullable HookDecision decision) {
		return (decision != null && decision.verdict() == Verdict.DENY && decision.additionalContext() == null)
				? HookDecision.reasonOf(decision.reason()) : null;
	}

	/**
	 * Hooks tend to give the same reason again, and what the caller gets depends on
	 * nothing else.
	 */
	@SuppressWarnings("unchecked") // of a step of this gate
	private Admission.Denied<C, R, D, E> denied(Step<C, C, D> step, String reason) {
		Admission.Denied<C, R, D, E> last = (Admission.Denied<C, R, D, E>) step.lastDenied;
		if (last != null && last.reason().equals(reason)) {
			return last;
		}
		Admission.Denied<C, R, D, E> denied = new Admission.Denied<>(reason, this.kind.denied(step.name(), reason));
		step.lastDenied = denied;
		return denied;
	}

	/**
	 * Let a call enter that all hooks have approved.
	 * @param call the call
	 * @param hooks the hooks for it
	 * @return its way
	 */
	public Passage<C, R, D, E> enterApproved(C call, HookSet<C, R, D> hooks) {
		return new Passage<>(this, call, hooks, null).after(hooks.deciding.length, null, null);
	}

	/**
	 * Let the hooks see the result of a call that they have approved quietly.
	 * @param call the call
	 * @param hooks the hooks that have approved it
	 * @param ending how the call ended
	 * @param result the result
	 * @return what the caller gets
	 * @throws RuntimeException the exception of the kind if a hook aborts
	 */
	public R finishQuietly(C call, HookSet<C, R, D> hooks, Ending ending, R result) {
		Step<C, R, D>[] steps = hooks.results;
		for (int i = 0; i < steps.length; i++) {
			@Nullable D decision = null;
			@Nullable Throwable failure = null;
			try {
				decision = steps[i].ask(call, result);
			}
			catch (Throwable ex) {
				failure = ex;
			}
			if (decision != this.kind.approve() && !isApproval(decision)) {
				return new Passage<>(this, call, hooks, null).after(i, decision, failure).finish(ending, result);
			}
		}
		return result;
	}

	private boolean admitsAll() {
		return this.closed == null && this.abortedRuns.isEmpty();
	}

	ChainKind<C, R, D, E> kind() {
		return this.kind;
	}

	@Nullable BiFunction<C, D, @Nullable D> person() {
		return this.person;
	}

	@Nullable String whyClosed() {
		return this.closed;
	}

	/**
	 * Log that a call does not pass, without its arguments.
	 */
	void logDenial(C call, String decider, String reason) {
		if (denials.isInfoEnabled()) {
			denials.info("The {} is denied by '{}': {}", this.kind.describe(call), SafeText.name(decider), reason);
		}
	}

	FailureLog failures() {
		return this.failures;
	}

	void warn(String hook, String warning) {
		this.warnings.computeIfAbsent(hook, (name) -> new WarningThrottle(this.kind.logger)).warn(warning);
	}

	/**
	 * The active listener of a call that begins now.
	 */
	private @Nullable HookListener<E> activeListener() {
		try {
			return (this.listener != null && this.listener.isListening()) ? this.listener : null;
		}
		catch (RuntimeException ex) {
			return this.listener;
		}
	}

}
