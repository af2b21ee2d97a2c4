package io.agenthooks.chain;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

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

	private final StepTargets<C> targets;

	private final boolean policy;

	private final BiFunction<C, S, @Nullable D> question;

	/** Which place the hook has among all of its phase, also those for other targets. */
	final int place;

	/**
	 * Whether it is unknown if the hook is for the target: it is tested each time.
	 */
	private final boolean uncertain;

	/** What the hook gets to see of calls, or {@code null} for all of them. */
	private final @Nullable CallView<C> view;

	/**
	 * The place where the same hook decides, if it hears of no arguments of calls about
	 * which it was not asked; -1 for all others.
	 */
	private final int decidesAt;

	/** Whether there is nothing to do but to ask. */
	private final boolean plain;

	/**
	 * What was last said of a call that the hook denied. Threads may see another one of
	 * it, which changes nothing.
	 */
	Admission.@Nullable Denied<C, ?, D, ?> lastDenied;

	private Step(ChainKind<C, ?, D, ?> kind, HookEntry<?> entry, StepTargets<C> targets, boolean policy,
			BiFunction<C, S, @Nullable D> question, int place, boolean uncertain, @Nullable CallView<C> view,
			int decidesAt) {
		this.kind = kind;
		this.leniency = new Leniency<>(kind, entry);
		this.entry = entry;
		this.targets = targets;
		this.policy = policy;
		this.question = question;
		this.place = place;
		this.uncertain = uncertain;
		this.view = view;
		this.decidesAt = decidesAt;
		this.plain = view == null && !uncertain && entry.isForAllContexts() && entry.failMode() == FailMode.CLOSED
				&& !entry.observe() && entry.isAskedDirectly();
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
		return new Step<>(kind, entry, new StepTargets<>(kind, entry.targets(), ownTargets), policy, question, 0, false,
				view, -1);
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
		return new Step<>(this.kind, this.entry, this.targets, this.policy, this.question, place, this.uncertain,
				this.view, this.decidesAt);
	}

	/**
	 * This step behind others, some of which mask what it sends out.
	 * @param masking those of them that mask
	 * @param deciding the hooks that decide, if this one only hears how calls end
	 */
	Step<C, S, D> behind(List<Step<C, C, ?>> masking, List<Step<C, C, D>> deciding) {
		if (!(hook() instanceof ExternalHook external)) {
			return this;
		}
		int decidesAt = -1;
		for (Step<C, C, D> step : deciding) {
			if (decidesAt < 0 && isSame(step.hook(), external) && !external.seesUnaskedCalls()) {
				decidesAt = step.place;
			}
		}
		return new Step<>(this.kind, this.entry, this.targets, this.policy, this.question, this.place, this.uncertain,
				CallView.of(this.kind, masking, this.entry.masks()), decidesAt);
	}

	@SuppressWarnings("ReferenceEquality") // the very hook, which decides and hears
	private static boolean isSame(Hook hook, Hook other) {
		return hook == other;
	}

	Hook hook() {
		return this.entry.hook();
	}

	/**
	 * Whether the hook is for a call, as far as anybody can tell.
	 */
	boolean mayBeFor(C call) {
		try {
			return this.targets.includeTargetOf(call) && this.entry.contexts().test(call.context());
		}
		catch (RuntimeException ex) {
			return true;
		}
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

	boolean isForAllTargets() {
		return this.targets.areAll();
	}

	/**
	 * This step in the plan of a target, or {@code null} if it is not for the target. A
	 * hook that cannot say for which targets it is itself, is asked; one of which it is
	 * said in a way that fails, fails.
	 */
	@Nullable Step<C, S, D> forTarget(Object target) {
		return switch (this.targets.match(target)) {
			case NO -> null;
			case YES -> this;
			case UNKNOWN -> new Step<>(this.kind, this.entry, this.targets, this.policy, this.question, this.place,
					true, this.view, this.decidesAt);
		};
	}

	/**
	 * Whether the hook is for a call, as far as its target does not say.
	 * @throws RuntimeException if that fails
	 */
	boolean isFor(C call) {
		if (this.uncertain && !this.targets.includeAsSaid(call)) {
			return false;
		}
		return this.entry.contexts().test(call.context());
	}

	/**
	 * Ask the hook by itself, without a chain.
	 */
	@Nullable D askAlone(C call, S subject) {
		return (this.targets.includeTargetOf(call)) ? ask(call, subject) : this.kind.approve();
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
	@Nullable D ask(C call, S subject, @Nullable Watches watches, HookPart part) {
		return (watches != null) ? askAsSaid(call, subject, new Watched<>(watches, part)) : ask(call, subject);
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
			if (!isFor(call)) {
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
			decision = (occasion instanceof Watched<D> watched) ? watched(watched, call, seen, subject)
					: askAround(call, seen, subject, asking != null);
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
		return (this.entry.isAskedDirectly()) ? this : new Step<>(this.kind, withAround(unnamed), this.targets,
				this.policy, this.question, this.place, this.uncertain, this.view, this.decidesAt);
	}

	private HookEntry<?> withAround(HookAround around) {
		return new HookEntry<>(this.entry.name(), this.entry.hook(), this.entry.targets(), this.entry.contexts(),
				this.entry.failMode(), this.entry.observe(), around, this.entry.masks());
	}

	/**
	 * Tell the hook how a call ended, if the call is for it.
	 * @param askedUpTo the place of the last hook that was asked about the call
	 * @throws RuntimeException whatever the hook throws
	 */
	void tell(C call, S outcome, int askedUpTo, @Nullable Watches watches) {
		if (!isFor(call)) {
			return;
		}
		UnaryOperator<C> seen = seenBy(askedUpTo);
		C seenCall = (seen != null) ? seen.apply(call) : call;
		S seenOutcome = (seen != null) ? this.kind.masked(outcome, seen) : outcome;
		if (watches == null) {
			tellAround(seenCall, seenOutcome);
			return;
		}
		WatchedHook watched = watches.ask(name(), HookPart.LEARN);
		try {
			tellAround(seenCall, seenOutcome);
		}
		catch (Throwable ex) {
			watched.end(null, ex);
			throw ex;
		}
		watched.end(null, null);
	}

	private void tellAround(C seenCall, S seenOutcome) {
		if (this.entry.isAskedDirectly()) {
			learn(seenCall, seenOutcome);
		}
		else {
			this.entry.around().tell(this.question, seenCall, seenOutcome);
		}
	}

	/**
	 * What the hook gets to see of calls that have ended, or {@code null} for everything.
	 */
	private @Nullable UnaryOperator<C> seenBy(int askedUpTo) {
		if (this.decidesAt > askedUpTo) {
			return this.kind::withoutArguments;
		}
		CallView<C> view = this.view;
		return (view != null) ? view::orWithoutArguments : null;
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
		if (this.targets.includeTargetOf(call)) {
			tell(call, outcome, Integer.MAX_VALUE, null);
		}
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
