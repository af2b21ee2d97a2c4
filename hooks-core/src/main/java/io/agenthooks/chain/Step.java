package io.agenthooks.chain;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.Verdict;
import io.agenthooks.chain.WatchedCall.HookPart;

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

	private static final String UNMASKED = "The arguments could not be masked, so they are not sent out";

	private final ChainKind<C, ?, D, ?> kind;

	private final HookEntry<?> entry;

	private final Leniency<C, D> leniency;

	private final StepScope<C> scope;

	private final boolean policy;

	private final BiFunction<C, S, @Nullable D> question;

	/** Which place the hook has among all of its phase, also those for other targets. */
	final int place;

	/** What the hook gets to see of calls, or {@code null} for all of them. */
	private final @Nullable CallView<C> view;

	/** Whether there is nothing to do but to ask. */
	private final boolean plain;

	private Step(ChainKind<C, ?, D, ?> kind, HookEntry<?> entry, StepScope<C> scope, boolean policy,
			BiFunction<C, S, @Nullable D> question, int place, @Nullable CallView<C> view) {
		this.kind = kind;
		this.leniency = new Leniency<>(kind, entry);
		this.entry = entry;
		this.scope = scope;
		this.policy = policy;
		this.question = question;
		this.place = place;
		this.view = view;
		this.plain = view == null && scope.isCertain() && entry.failMode() == FailMode.CLOSED && !entry.observe()
				&& entry.isAskedDirectly() && entry.reason() == null;
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
		CallView<C> view = (entry.hook() instanceof ExternalHook) ? CallView.of(kind, List.of(), entry.masks()) : null;
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
			HookEntry<?> entry, BiFunction<C, S, @Nullable D> question) {
		return of(kind, entry, HookEntry.ALL_TARGETS, false, question);
	}

	Step<C, S, D> at(int place) {
		return new Step<>(this.kind, this.entry, this.scope, this.policy, this.question, place, this.view);
	}

	/**
	 * This step behind others, some of which mask what it sends out.
	 * @param masking those of them that mask
	 */
	Step<C, S, D> behind(List<Step<C, C, ?>> masking) {
		return (hook() instanceof ExternalHook) ? new Step<>(this.kind, this.entry, this.scope, this.policy,
				this.question, this.place, CallView.of(this.kind, masking, this.entry.masks())) : this;
	}

	/**
	 * This step behind others, as one that only learns how calls ended.
	 * @param masking those of them that mask what it sends out
	 * @param deciding the hooks that decide
	 */
	Learner<C, S, D> learner(List<Step<C, C, ?>> masking, List<Step<C, C, D>> deciding) {
		return Learner.of(this.kind, this.entry, this.scope, this.question, masking, deciding);
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

	HookAround around() {
		return this.entry.around();
	}

	StepScope<C> scope() {
		return this.scope;
	}

	/**
	 * This step in the plan of a target, or {@code null} if it is not for the target.
	 */
	@SuppressWarnings("ReferenceEquality") // of the very scope
	@Nullable Step<C, S, D> forTarget(Object target) {
		StepScope<C> scope = this.scope.forTarget(target);
		if (scope == null || scope == this.scope) {
			return (scope != null) ? this : null;
		}
		return new Step<>(this.kind, this.entry, scope, this.policy, this.question, this.place, this.view);
	}

	/**
	 * Ask the hook by itself, without a chain.
	 */
	@Nullable D askAlone(C call, S subject) {
		return (this.scope.includesTargetOf(call)) ? ask(call, subject) : this.kind.approve();
	}

	/**
	 * Ask the hook. An approval says if the hook failed and may fail open, and what one
	 * that only observes would have decided.
	 * @return the decision, or {@code null} if the hook decided nothing
	 * @throws RuntimeException whatever the hook throws, unless it may fail
	 */
	@Nullable D ask(C call, S subject) {
		return (this.plain) ? this.question.apply(call, subject) : askAsSaid(call, subject, null);
	}

	/**
	 * Ask the hook about a call that somebody may watch.
	 */
	@Nullable D ask(C call, S subject, Watches watches, HookPart part) {
		return (watches.isAny()) ? askAsSaid(call, subject, new Watched<>(watches, part)) : ask(call, subject);
	}

	/**
	 * Ask the hook only to explain what would happen to a call.
	 * @param asking learns what is to be known of it
	 * @return the decision as the hook would be asked, an approval if it may not be asked
	 */
	@Nullable D rehearse(C call, S subject, Rehearsal.Asking<D> asking) {
		return askAsSaid(call, subject, asking);
	}

	/**
	 * Ask the hook.
	 * @param occasion what is particular about that, or {@code null}
	 */
	private @Nullable D askAsSaid(C call, S subject, @Nullable Occasion<D> occasion) {
		Rehearsal.@Nullable Asking<D> asking = rehearsal(occasion);
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
			return (this.entry.observe() && !Failures.isFatal(ex)) ? this.leniency.observed(ex, asking)
					: this.leniency.rethrow(ex);
		}
		if (this.view == null) {
			return judge(call, call, subject, occasion);
		}
		C seen = this.view.of(call);
		if (seen == null) {
			// No failure of the hook either: it never got the call.
			D denial = this.kind.deny(UNMASKED);
			return (this.entry.observe()) ? this.leniency.observed(denial, call, asking) : denial;
		}
		return judge(call, seen, seenSubject(call, seen, subject), occasion);
	}

	/**
	 * What a hook gets that is asked about the call itself.
	 */
	@SuppressWarnings({ "unchecked", "ReferenceEquality" })
	private static <C, S> S seenSubject(C call, C seen, S subject) {
		return (subject == call) ? (S) seen : subject;
	}

	/**
	 * Ask the hook about a call as it gets to see it, and draw the consequence for the
	 * call as it is.
	 */
	private @Nullable D judge(C call, C seen, S subject, @Nullable Occasion<D> occasion) {
		Rehearsal.@Nullable Asking<D> asking = rehearsal(occasion);
		if (asking != null && !mayBeAsked(asking)) {
			asking.isAsked = false;
			return this.kind.approve();
		}
		@Nullable D decision;
		try {
			decision = explained((occasion instanceof Watched<D> watched) ? watched(watched, call, seen, subject)
					: askAround(call, seen, subject, asking != null));
		}
		catch (NotAskedException ex) {
			if (asking != null) {
				asking.isAsked = false;
				asking.whyNot = ex.reason();
				return this.kind.approve();
			}
			decision = this.kind.deny(ex.reason());
		}
		catch (Throwable ex) {
			return this.leniency.failed(ex, asking);
		}
		if (decision == null) {
			return this.leniency.undecided(asking);
		}
		return (this.entry.observe()) ? this.leniency.observed(decision, call, asking) : decision;
	}

	/**
	 * The decision of the hook with the reason that its entry gives to the model.
	 */
	private @Nullable D explained(@Nullable D decision) {
		String reason = this.entry.reason();
		return (decision != null && reason != null
				&& (decision.verdict() == Verdict.DENY || decision.verdict() == Verdict.ABORT))
						? this.kind.explained(decision, reason) : decision;
	}

	/**
	 * Whether the hook is asked about a call that nobody makes.
	 */
	private boolean mayBeAsked(Rehearsal.Asking<D> asking) {
		try {
			return asking.live || this.policy || hook().isExplainable();
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private @Nullable D watched(Watched<D> occasion, C call, C seen, S subject) {
		WatchedHook watched = occasion.watches().ask(name(), occasion.part());
		@Nullable D decision;
		try {
			decision = askAround(call, seen, subject, false);
		}
		catch (Throwable ex) {
			watched.end(null, ex);
			throw ex;
		}
		watched.end(decision, null);
		return decision;
	}

	private @Nullable D askAround(C call, C seen, S subject, boolean isRehearsed) {
		if (this.entry.isAskedDirectly()) {
			return answer(call, seen, subject, isRehearsed);
		}
		return (isRehearsed) ? this.entry.around().explain(() -> answer(call, seen, subject, true))
				: this.entry.around().ask(call, () -> answer(call, seen, subject, false));
	}

	private static <D> Rehearsal.@Nullable Asking<D> rehearsal(@Nullable Occasion<D> occasion) {
		return (occasion instanceof Rehearsal.Asking<D> asking) ? asking : null;
	}

	/**
	 * What the hook decides about a call as it gets to see it, and what that means for
	 * the call as it is.
	 */
	@SuppressWarnings("ReferenceEquality") // nothing is masked then
	private @Nullable D answer(C call, C seen, S subject, boolean isRehearsed) {
		@Nullable D decision = (isRehearsed) ? this.kind.rehearse(hook(), seen) : null;
		if (decision == null) {
			decision = this.question.apply(seen, subject);
		}
		if (decision == null || seen == call || decision.verdict() != Verdict.MODIFY) {
			return decision;
		}
		try {
			return this.kind.unmasked(call, seen, decision);
		}
		catch (RuntimeException ex) {
			// No failure of the hook, so no fail mode lets the call pass.
			return this.kind.deny("The arguments that the hook changed could not be put back");
		}
	}

	/**
	 * This step for what comes after the end of a call: who remembers hooks by calls does
	 * not learn of it.
	 */
	Step<C, S, D> afterTheEnd() {
		HookAround around = this.entry.around();
		HookAround unnamed = new HookAround() {

			@Override
			public <E extends HookDecision> @Nullable E ask(Supplier<@Nullable E> hook) {
				return around.ask(hook);
			}

		};
		return (this.entry.isAskedDirectly()) ? this : new Step<>(this.kind, withAround(unnamed), this.scope,
				this.policy, this.question, this.place, this.view);
	}

	private HookEntry<?> withAround(HookAround around) {
		return new HookEntry<>(this.entry.name(), this.entry.hook(), this.entry.targets(), this.entry.contexts(),
				this.entry.failMode(), this.entry.observe(), around, this.entry.masks(), this.entry.reason());
	}

	/**
	 * What is particular about asking a hook.
	 *
	 * @param <D> the decisions
	 */
	sealed interface Occasion<D> permits Rehearsal.Asking, Watched {

	}

	/**
	 * Somebody watches the call.
	 *
	 * @param <D> the decisions
	 * @param watches who does
	 * @param part what the hook is asked
	 */
	private record Watched<D>(Watches watches, HookPart part) implements Occasion<D> {
	}

}
