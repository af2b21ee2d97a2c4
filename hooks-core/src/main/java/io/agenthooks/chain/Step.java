package io.agenthooks.chain;

import java.util.function.BiFunction;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.Verdict;

/**
 * A hook at its place in a chain. It applies what its {@link HookEntry} says about the
 * hook: which calls it is for, what asks it, whether its decision counts, and what its
 * failure means.
 *
 * @param <C> the calls
 * @param <S> what it is asked about: the call itself, its result or its outcome
 * @param <D> the decisions
 * @since 0.1.0
 */
public final class Step<C extends HookedCall, S, D extends HookDecision> {

	private final ChainKind<C, ?, D, ?> kind;

	private final HookEntry<?> entry;

	private final FailureLog failures;

	/** For which targets the hook itself says that it is. */
	private final Predicate<String> ownTargets;

	private final boolean policy;

	private final BiFunction<C, S, @Nullable D> question;

	/** Which place the hook has among all of its phase, also those for other targets. */
	final int place;

	/**
	 * Whether it is unknown if the hook is for the target: it is tested each time.
	 */
	private final boolean uncertain;

	/** Whether there is nothing to do but to ask. */
	private final boolean plain;

	/**
	 * What was last said of a call that the hook denied. Threads may see another one of
	 * it, which changes nothing.
	 */
	Admission.@Nullable Denied<C, ?, D, ?> lastDenied;

	private Step(ChainKind<C, ?, D, ?> kind, HookEntry<?> entry, Predicate<String> ownTargets, boolean policy,
			BiFunction<C, S, @Nullable D> question, int place, boolean uncertain) {
		this.kind = kind;
		this.failures = new FailureLog(kind.logger);
		this.entry = entry;
		this.ownTargets = ownTargets;
		this.policy = policy;
		this.question = question;
		this.place = place;
		this.uncertain = uncertain;
		this.plain = !uncertain && entry.isForAllContexts() && entry.failMode() == FailMode.CLOSED && !entry.observe()
				&& entry.isAskedDirectly();
	}

	/**
	 * Create a step.
	 * @param <C> the calls
	 * @param <S> what the hook is asked about
	 * @param <D> the decisions
	 * @param kind the kind of the calls
	 * @param entry the hook, and what is said about it
	 * @param ownTargets for which targets the hook itself says that it is
	 * @param policy whether the hook has to agree to the final call
	 * @param question asks the hook
	 * @return the step
	 */
	public static <C extends HookedCall, S, D extends HookDecision> Step<C, S, D> of(ChainKind<C, ?, D, ?> kind,
			HookEntry<?> entry, Predicate<String> ownTargets, boolean policy, BiFunction<C, S, @Nullable D> question) {
		return new Step<>(kind, entry, ownTargets, policy, question, 0, false);
	}

	/**
	 * Create a step of a hook that says nothing about targets and is no policy.
	 * @param <C> the calls
	 * @param <S> what the hook is asked about
	 * @param <D> the decisions
	 * @param kind the kind of the calls
	 * @param entry the hook, and what is said about it
	 * @param question asks the hook
	 * @return the step
	 */
	public static <C extends HookedCall, S, D extends HookDecision> Step<C, S, D> of(ChainKind<C, ?, D, ?> kind,
			HookEntry<?> entry, BiFunction<C, S, @Nullable D> question) {
		return of(kind, entry, HookEntry.ALL_TARGETS, false, question);
	}

	Step<C, S, D> at(int place) {
		return new Step<>(this.kind, this.entry, this.ownTargets, this.policy, this.question, place, this.uncertain);
	}

	String name() {
		return this.entry.name();
	}

	boolean isPolicy() {
		return this.policy;
	}

	boolean observes() {
		return this.entry.observe();
	}

	boolean isForAllTargets() {
		return HookEntry.isForAll(this.entry.targets()) && HookEntry.isForAll(this.ownTargets);
	}

	/**
	 * This step in the plan of a target, or {@code null} if it is not for the target. A
	 * hook that cannot say for which targets it is itself, is asked; one of which it is
	 * said in a way that fails, fails.
	 */
	@Nullable Step<C, S, D> forTarget(Object target) {
		boolean failing = false;
		try {
			if (!isFor(this.entry.targets(), target)) {
				return null;
			}
		}
		catch (Throwable ex) {
			failing = true;
		}
		try {
			if (!isFor(this.ownTargets, target)) {
				return null;
			}
		}
		catch (Throwable ex) {
			// It throws here so as not to end the call of which nobody would learn.
		}
		return (failing)
				? new Step<>(this.kind, this.entry, this.ownTargets, this.policy, this.question, this.place, true)
				: this;
	}

	private boolean isFor(Predicate<String> targets, Object target) {
		return HookEntry.isForAll(targets) || this.kind.isFor(targets, target);
	}

	/**
	 * Whether the hook is for a call, as far as its target does not say.
	 * @throws RuntimeException if that fails
	 */
	boolean isFor(C call) {
		if (this.uncertain) {
			Object target = this.kind.target(call);
			if (target != null && !isFor(this.entry.targets(), target)) {
				return false;
			}
		}
		return this.entry.contexts().test(call.context());
	}

	/**
	 * Ask the hook by itself, without a chain.
	 */
	@Nullable D askAlone(C call, S subject) {
		Object target = this.kind.target(call);
		if (target != null && !(isFor(this.entry.targets(), target) && isFor(this.ownTargets, target))) {
			return this.kind.approve();
		}
		return ask(call, subject);
	}

	/**
	 * Ask the hook. An approval says if the hook failed and may fail open, and what one
	 * that only observes would have decided.
	 * @return the decision, or {@code null} if the hook decided nothing
	 * @throws RuntimeException whatever the hook throws, unless it may fail
	 */
	@Nullable D ask(C call, S subject) {
		return (this.plain) ? this.question.apply(call, subject) : askAsSaid(call, subject);
	}

	private @Nullable D askAsSaid(C call, S subject) {
		try {
			if (!isFor(call)) {
				return this.kind.approve();
			}
		}
		catch (Throwable ex) {
			// That it cannot be told whether the hook is for the call is no failure of
			// the hook, so no fail mode lets the call pass.
			return (this.entry.observe() && !Failures.isFatal(ex)) ? observed(ex) : rethrow(ex);
		}
		@Nullable D decision;
		try {
			decision = (this.entry.isAskedDirectly()) ? this.question.apply(call, subject)
					: this.entry.around().ask(() -> this.question.apply(call, subject));
		}
		catch (NotAskedException ex) {
			decision = this.kind.deny(ex.reason());
		}
		catch (Throwable ex) {
			return failed(ex);
		}
		if (decision == null) {
			return undecided();
		}
		return (this.entry.observe()) ? observed(decision, call) : decision;
	}

	private D failed(Throwable ex) {
		if (!Failures.isFatal(ex)) {
			if (this.entry.failMode().passes(ex)) {
				this.kind.logger.debug("The hook '{}' failed", name(), ex);
				return this.kind.failedOpen("The hook failed with " + ex.getClass().getName());
			}
			if (this.entry.observe()) {
				return observed(ex);
			}
		}
		return rethrow(ex);
	}

	private D observed(Throwable ex) {
		this.failures.log("The observed hook '" + name() + "'", ex, "enforced, it would deny");
		return this.kind.observed(Verdict.DENY);
	}

	private D rethrow(Throwable ex) {
		throw Failures.rethrow(ex);
	}

	private @Nullable D undecided() {
		if (this.entry.failMode() == FailMode.OPEN) {
			return this.kind.failedOpen("The hook decided nothing");
		}
		if (this.entry.observe()) {
			this.kind.logger.warn("The observed hook '{}' decided nothing; enforced, it would deny", name());
			return this.kind.observed(Verdict.DENY);
		}
		return null;
	}

	private D observed(D decision, C call) {
		if (decision.verdict() != Verdict.APPROVE) {
			this.kind.logger.info("The observed hook '{}' would {} the {}", name(), decision.verdict().value(),
					this.kind.describe(call));
			return this.kind.observed(decision.verdict());
		}
		if (decision.additionalContext() == null) {
			return decision;
		}
		String failure = decision.failure();
		Verdict observed = decision.observed();
		return (failure != null) ? this.kind.failedOpen(failure)
				: (observed != null) ? this.kind.observed(observed) : this.kind.approve();
	}

	/**
	 * Tell the hook how a call ended, if the call is for it.
	 * @throws RuntimeException whatever the hook throws
	 */
	void tell(C call, S outcome) {
		if (!isFor(call)) {
			return;
		}
		if (this.entry.isAskedDirectly()) {
			learn(call, outcome);
		}
		else {
			this.entry.around().tell(() -> learn(call, outcome));
		}
	}

	/**
	 * A hook that learns decides nothing.
	 */
	private void learn(C call, S outcome) {
		@Nullable D unused = this.question.apply(call, outcome);
	}

	/**
	 * Tell the hook by itself, without a chain, how a call ended.
	 */
	void tellAlone(C call, S outcome) {
		Object target = this.kind.target(call);
		if (target == null || (isFor(this.entry.targets(), target) && isFor(this.ownTargets, target))) {
			tell(call, outcome);
		}
	}

}
