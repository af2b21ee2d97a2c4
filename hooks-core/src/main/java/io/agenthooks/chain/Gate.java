package io.agenthooks.chain;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.HookListener;

/**
 * The shared state of the calls of a chain: hooks, listener, kill switch, aborted runs.
 * Its hooks can be replaced as a whole; a call that is under way keeps those that it
 * began with.
 *
 * @param <C> the calls
 * @param <R> what they result in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public final class Gate<C extends HookedCall, R, D extends HookDecision, E> {

	private final ChainKind<C, R, D, E> kind;

	private final @Nullable HookListener<E> listener;

	private final People.@Nullable Approver<C, D> approver;

	private final AbortedRuns abortedRuns;

	private final GateLog<C> log;

	private final FailureLog failures;

	private final Hiding hiding;

	private volatile CallWatch[] watches = {};

	private volatile HookSet<C, R, D> hooks;

	private final HookSet<C, R, D> none;

	private volatile @Nullable String closed;

	private volatile @Nullable Function<C, @Nullable String> closedFor;

	private volatile boolean shutDown;

	/** The calls of whose ends post-call hooks will learn. */
	private final LongAdder begun = new LongAdder();

	/** The calls among them of whose ends they have learned. */
	private final LongAdder ended = new LongAdder();

	private volatile boolean unhooked;

	/**
	 * Create a gate.
	 * @param kind what is particular to its calls
	 * @param hooks the hooks
	 * @param listener gets every event, or {@code null} for none
	 * @param approver waits for the answer of a person to the question of a hook, about
	 * the final call, or {@code null} if no hook may ask
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public Gate(ChainKind<C, R, D, E> kind, HookSet<C, R, D> hooks, @Nullable HookListener<E> listener,
			People.@Nullable Approver<C, D> approver, AbortedRuns abortedRuns) {
		this.kind = kind;
		this.log = new GateLog<>(kind);
		this.failures = new FailureLog(kind.logger);
		this.hiding = new Hiding(this.failures);
		this.hooks = hooks;
		this.none = HookSet.of(kind, List.of(), List.of(), List.of());
		this.unhooked = hooks.isEmpty();
		this.listener = listener;
		this.approver = approver;
		this.abortedRuns = Objects.requireNonNull(abortedRuns, "'abortedRuns' must not be null");
	}

	public synchronized void setHooks(HookSet<C, R, D> hooks) {
		this.hooks = hooks;
		this.unhooked = isUnhooked(hooks);
	}

	public HookSet<C, R, D> getHooks() {
		return this.hooks;
	}

	public void setWatches(List<CallWatch> watches) {
		this.watches = watches.toArray(new CallWatch[0]);
	}

	/**
	 * Deny all calls, or no longer. One that waits for a hook or a person is denied when
	 * that has answered; one that is carried out already goes on.
	 * @param reason why, or {@code null} to let hooks decide again
	 */
	public synchronized void setClosed(@Nullable String reason) {
		this.closed = reason;
		this.unhooked = isUnhooked(this.hooks);
	}

	/**
	 * Deny some calls as if the gate were {@linkplain #setClosed closed}.
	 * @param reasons finds the reason why a call is denied, or {@code null} if hooks
	 * decide; {@code null} if they decide about all. What fails denies.
	 */
	public synchronized void setClosedFor(@Nullable Function<C, @Nullable String> reasons) {
		this.closedFor = reasons;
		this.unhooked = isUnhooked(this.hooks);
	}

	private boolean isUnhooked(HookSet<C, R, D> hooks) {
		return hooks.isEmpty() && this.closed == null && this.closedFor == null && !this.shutDown;
	}

	/**
	 * Let no further call enter, since the application ends, or let them enter again. One
	 * that waits for a hook or a person is denied when that has answered.
	 * @param shutDown whether the application ends
	 */
	public synchronized void setShutDown(boolean shutDown) {
		this.shutDown = shutDown;
		this.unhooked = isUnhooked(this.hooks);
	}

	/**
	 * Return the number of calls of whose ends post-call hooks have not learned yet.
	 * @return their number. Once the gate is {@linkplain #setShutDown shut down}, none
	 * comes that is not denied.
	 */
	public long underWay() {
		// In this order, so that no end is seen without its beginning. One sum of both
		// could hide a call that is under way behind the end of another.
		long ended = this.ended.sum();
		return this.begun.sum() - ended;
	}

	/**
	 * Count a call, unless the gate is shut down: then it is denied, also if the gate
	 * opens again before it is decided about.
	 */
	boolean begin() {
		if (this.shutDown) {
			return false;
		}
		this.begun.increment();
		if (this.shutDown) {
			// Whoever shut it down need not have seen this one.
			this.ended.increment();
			return false;
		}
		return true;
	}

	void end() {
		this.ended.increment();
	}

	boolean isShutDown() {
		return this.shutDown;
	}

	public boolean isOpen() {
		return this.closed == null;
	}

	public AbortedRuns abortedRuns() {
		return this.abortedRuns;
	}

	/**
	 * Whether there is nothing to decide about calls. Some may watch nevertheless.
	 * @return whether every call passes, and no listener wants events
	 */
	public boolean isUnhooked() {
		return this.unhooked && (this.listener == null || activeListener() == null) && this.abortedRuns.isEmpty();
	}

	public boolean isWatched() {
		return Arrays.stream(this.watches).anyMatch((watch) -> Watches.isActive(watch, this.failures));
	}

	public boolean isWatchedWithoutHooks() {
		return Arrays.stream(this.watches)
			.anyMatch((watch) -> !watch.needsHooks() && Watches.isActive(watch, this.failures));
	}

	public boolean canBeWatchedWithoutHooks() {
		return !Arrays.stream(this.watches).allMatch(CallWatch::needsHooks);
	}

	/**
	 * Let a call enter that {@linkplain #isUnhooked() nobody decides about}.
	 * @param call the call
	 * @return its way, on which nothing is asked, or {@code null} if nobody watches it
	 */
	public @Nullable Passage<C, R, D, E> enterUnhooked(C call) {
		Watches watches = watch(call, false);
		return (watches.isAny()) ? new Passage<>(this, call, this.none, null, watches, null) : null;
	}

	public Passage<C, R, D, E> enter(C call) {
		return enter(call, null);
	}

	/**
	 * Let a call enter that has waited for people, and goes on.
	 * @param call the call
	 * @param approver answers what hooks ask about this call, and about no other;
	 * {@code null} if the call enters for the first time
	 * @return its way through the hooks
	 */
	public Passage<C, R, D, E> enter(C call, People.@Nullable Approver<C, D> approver) {
		return new Passage<>(this, call, this.hooks.selectFor(call), activeListener(), watch(call, false), approver);
	}

	/**
	 * Say what would happen to a call, without a trace of it.
	 * @param call the call
	 * @param live whether every hook is asked, and not only policies and those that
	 * {@linkplain Hook#isExplainable() may be}
	 * @param refusal the built-in decider that denies the call before any hook is asked,
	 * or {@code null}
	 * @param isTooDeep whether too many calls are inside one another
	 * @param target says why the final call cannot be made like this, or {@code null}
	 * @return what would happen
	 */
	public Explained<C, D> explain(C call, boolean live, Explained.@Nullable Refusal refusal, boolean isTooDeep,
			@Nullable Function<C, @Nullable String> target) {
		return new Rehearsal<>(this, call, this.hooks.selectUnremembered(call), live).explain(refusal, isTooDeep,
				target);
	}

	/**
	 * Say what would happen to a call that no hook can be asked about.
	 * @param call the call, without what cannot be looked at
	 * @param refusal who denies it
	 * @return what would happen
	 */
	public Explained<C, D> refused(C call, Explained.Refusal refusal) {
		return new Rehearsal<>(this, call, this.hooks.resultsOnly(), false).explain(refusal, false, null);
	}

	/**
	 * Let the result hooks see what the model will read of a call that has ended. Only
	 * those learn of it who watch {@linkplain CallWatch#review reviews}.
	 * @param call the call
	 * @param ending how the call ended
	 * @param result the text as a result
	 * @return what the model may read
	 * @throws RuntimeException the exception of the kind if a hook aborts
	 */
	public R review(C call, Ending ending, R result) {
		HookSet<C, R, D> hooks = this.hooks.selectFor(call).resultsOnly();
		return new Passage<>(this, call, hooks, null, watch(call, true), null).finish(ending, result);
	}

	/**
	 * Whether there is a hook of a kind whose decisions count.
	 * @param kind tells the kind; a hook about which it fails counts as of it
	 * @return whether there is one
	 */
	public boolean hasDeciding(Predicate<Hook> kind) {
		return this.hiding.hasDeciding(this.hooks, kind);
	}

	public boolean asks(String hook, C call) {
		return Arrays.stream(this.hooks.selectFor(call).deciding)
			.anyMatch((step) -> step.name().equals(hook) && step.scope().includes(call));
	}

	/**
	 * Find the first hook that hides the target of a call from its caller, and tell it
	 * and the listener.
	 * @param call a call as it would be made
	 * @param target the name of its target
	 * @param hides whether a hook hides the target; what fails hides
	 * @param event makes the event of the name of the hook
	 * @return the name of the hook, or {@code null} if nobody hides it
	 */
	public @Nullable String hiddenBy(C call, String target, Predicate<Hook> hides, Function<String, E> event) {
		String hook = this.hiding.hiddenBy(this.hooks.selectFor(call), call, target, hides, this.watches);
		HookListener<E> listener = (hook != null) ? activeListener() : null;
		if (hook != null && listener != null) {
			this.hiding.tell(listener, event.apply(hook));
		}
		return hook;
	}

	private Watches watch(C call, boolean isReview) {
		CallWatch[] watches = this.watches;
		return (watches.length > 0) ? Watches.begin(watches, call, isReview, this.failures) : Watches.NONE;
	}

	ChainKind<C, R, D, E> kind() {
		return this.kind;
	}

	People.@Nullable Approver<C, D> approver() {
		return this.approver;
	}

	@Nullable String whyClosed(C call) {
		String closed = this.closed;
		Function<C, @Nullable String> closedFor = this.closedFor;
		if (closed != null || closedFor == null) {
			return closed;
		}
		try {
			return closedFor.apply(call);
		}
		catch (Throwable ex) {
			this.failures.logUnlessFatal("The kill switch", ex, "the " + this.kind.noun() + " is denied");
			return "Whether this is switched off could not be found out";
		}
	}

	GateLog<C> log() {
		return this.log;
	}

	FailureLog failures() {
		return this.failures;
	}

	private @Nullable HookListener<E> activeListener() {
		try {
			return (this.listener != null && this.listener.isListening()) ? this.listener : null;
		}
		catch (Throwable ex) {
			// Who does not say gets the events.
			this.failures.logUnlessFatal("A listener", ex, "it gets the events");
			return this.listener;
		}
	}

}
