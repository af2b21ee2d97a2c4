package io.agenthooks.chain;

import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.Verdict;
import io.agenthooks.chain.WatchedCall.HookPart;

/**
 * A hook at its place in a chain. It applies what its {@link HookEntry} says.
 *
 * @param <C> the calls
 * @param <S> what it is asked about: the call itself, its result or its outcome
 * @param <D> the decisions
 * @since 0.1.0
 */
public final class Step<C extends HookedCall, S, D extends HookDecision> {

	private static final String UNMASKED = "The arguments could not be masked, so they are not sent out";

	private final ChainKind<C, ?, D, ?> kind;

	private final HookEntry<?> entry;

	private final FailurePolicy<C, D> failurePolicy;

	private final StepScope<C> scope;

	private final boolean policy;

	private final Question<C, S, D> question;

	/** The place of the hook among all of its phase, also those for other targets. */
	final int place;

	private final @Nullable CallView<C, D> view;

	/**
	 * Few methods stand in a stack trace between a call and a hook with nothing around.
	 */
	private final boolean direct;

	private Step(ChainKind<C, ?, D, ?> kind, HookEntry<?> entry, StepScope<C> scope, boolean policy,
			Question<C, S, D> question, int place, @Nullable CallView<C, D> view) {
		this.kind = kind;
		this.failurePolicy = new FailurePolicy<>(kind, entry);
		this.entry = entry;
		this.scope = scope;
		this.policy = policy;
		this.question = question;
		this.place = place;
		this.view = view;
		this.direct = HookAround.NOTHING.equals(entry.around());
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
			HookEntry<?> entry, Predicate<String> ownTargets, boolean policy, Question<C, S, D> question) {
		CallView<C, D> view = (entry.hook() instanceof ExternalHook) ? CallView.of(kind, List.of(), entry.masks())
				: null;
		return new Step<>(kind, entry, StepScope.of(kind, entry, ownTargets), policy, question, 0, view);
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
			HookEntry<?> entry, Question<C, S, D> question) {
		return of(kind, entry, HookEntry.ALL_TARGETS, false, question);
	}

	Step<C, S, D> at(int place) {
		return new Step<>(this.kind, this.entry, this.scope, this.policy, this.question, place, this.view);
	}

	Step<C, S, D> behind(List<Step<C, C, ?>> masking) {
		return (hook() instanceof ExternalHook) ? new Step<>(this.kind, this.entry, this.scope, this.policy,
				this.question, this.place, CallView.of(this.kind, masking, this.entry.masks())) : this;
	}

	PostStep<C, S, D> learner(List<Step<C, C, ?>> masking, List<Step<C, C, D>> deciding) {
		return PostStep.of(this.kind, this.entry, this.scope, this.question, masking, deciding);
	}

	Hook hook() {
		return this.entry.hook();
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

	HookEntry<?> entry() {
		return this.entry;
	}

	StepScope<C> scope() {
		return this.scope;
	}

	/** {@code null} if it is not for the target. */
	@SuppressWarnings("ReferenceEquality") // of the very scope
	@Nullable Step<C, S, D> forTarget(Object target) {
		StepScope<C> scope = this.scope.forTarget(target);
		if (scope == null || scope == this.scope) {
			return (scope != null) ? this : null;
		}
		return new Step<>(this.kind, this.entry, scope, this.policy, this.question, this.place, this.view);
	}

	@Nullable D askAlone(C call, S subject) {
		return (this.scope.includesTargetOf(call)) ? ask(call, subject, Watches.NONE, HookPart.DECIDE, null)
				: this.kind.approve();
	}

	/**
	 * An approval says if the hook failed and may fail open, and what one that only
	 * observes would have decided.
	 */
	@Nullable D ask(C call, S subject, Watches watches, HookPart part, Rehearsal.@Nullable Asking<D> asking) {
		try {
			if (!this.scope.includes(call)) {
				if (asking != null) {
					asking.isFor = false;
				}
				return this.kind.approve();
			}
		}
		catch (Throwable ex) {
			// That it cannot be told whether the hook is for the call is no failure of
			// the hook, so no fail mode lets the call pass.
			if (this.entry.observe() && !Failures.isFatal(ex)) {
				return this.failurePolicy.observed(ex, asking);
			}
			throw Failures.rethrow(ex);
		}
		C seen = (this.view != null) ? this.view.of(call) : call;
		if (seen == null) {
			// No failure of the hook either: it never got the call.
			D denial = this.kind.deny(UNMASKED);
			return (this.entry.observe()) ? this.failurePolicy.observed(denial, call, asking) : denial;
		}
		if (asking != null && !mayBeAsked(asking)) {
			asking.isAsked = false;
			return this.kind.approve();
		}
		return decide(call, seen, seenSubject(call, seen, subject), watches.ask(this.entry, part), asking);
	}

	@SuppressWarnings({ "unchecked", "ReferenceEquality" })
	private static <C, S> S seenSubject(C call, C seen, S subject) {
		return (subject == call) ? (S) seen : subject;
	}

	private @Nullable D decide(C call, C seen, S subject, WatchedHook watched, Rehearsal.@Nullable Asking<D> asking) {
		@Nullable D decision;
		try {
			decision = (asking != null) ? this.entry.around().explain(() -> this.question.rehearse(seen, subject))
					: (this.direct) ? this.question.ask(seen, subject)
							: this.entry.around().ask(() -> this.question.ask(seen, subject));
			decision = unmasked(decision, call, seen);
			watched.end(decision, null);
		}
		catch (NotAskedException ex) {
			watched.end(null, ex);
			if (asking != null) {
				asking.isAsked = false;
				asking.whyNot = ex.reason();
				return this.kind.approve();
			}
			decision = this.kind.deny(ex.reason());
			return (this.entry.observe()) ? this.failurePolicy.observed(decision, call, null) : decision;
		}
		catch (Throwable ex) {
			watched.end(null, ex);
			return this.failurePolicy.failed(ex, asking);
		}
		if (decision == null) {
			return this.failurePolicy.undecided(asking);
		}
		String reason = this.entry.reason();
		if (reason != null && (decision.verdict() == Verdict.DENY || decision.verdict() == Verdict.ABORT)) {
			decision = this.kind.explained(decision, reason);
		}
		return (this.entry.observe()) ? this.failurePolicy.observed(decision, call, asking) : decision;
	}

	@SuppressWarnings("ReferenceEquality") // nothing is masked then
	private @Nullable D unmasked(@Nullable D decision, C call, C seen) {
		if (decision == null || this.view == null || seen == call || decision.verdict() != Verdict.MODIFY) {
			return decision;
		}
		try {
			return this.view.masking().unmasked(call, seen, decision);
		}
		catch (RuntimeException ex) {
			// No failure of the hook, so no fail mode lets the call pass.
			return this.kind.deny("The arguments that the hook changed could not be put back");
		}
	}

	private boolean mayBeAsked(Rehearsal.Asking<D> asking) {
		try {
			return asking.live || this.policy || hook().isExplainable();
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Asks a hook.
	 *
	 * @param <C> the calls
	 * @param <S> what the hook is asked about
	 * @param <D> the decisions
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Question<C, S, D> {

		/**
		 * Ask the hook.
		 * @param call the call as the hook gets to see it
		 * @param subject what the hook is asked about
		 * @return its decision, or {@code null} if it decides nothing
		 */
		@Nullable D ask(C call, S subject);

		/**
		 * Ask the hook about a call that nobody makes.
		 * @param call the call as the hook gets to see it
		 * @param subject what the hook is asked about
		 * @return its decision, the same as about any other call unless overridden
		 */
		default @Nullable D rehearse(C call, S subject) {
			return ask(call, subject);
		}

	}

}
