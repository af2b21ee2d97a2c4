package io.agenthooks.chain;

import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.HookDecision;
import io.agenthooks.chain.WatchedCall.HookPart;

/** A hook in a chain that only learns how calls ended. */
final class PostStep<C extends HookedCall, O, D extends HookDecision> {

	private final @Nullable Masking<C, D> masking;

	private final HookEntry<?> entry;

	private final StepScope<C> scope;

	private final Step.Question<C, O, D> lesson;

	private final @Nullable CallView<C, D> view;

	/**
	 * The place where the same hook decides, if it hears of no arguments of calls about
	 * which it was not asked; -1 for all others.
	 */
	private final int decidesAt;

	private PostStep(@Nullable Masking<C, D> masking, HookEntry<?> entry, StepScope<C> scope,
			Step.Question<C, O, D> lesson, @Nullable CallView<C, D> view, int decidesAt) {
		this.masking = masking;
		this.entry = entry;
		this.scope = scope;
		this.lesson = lesson;
		this.view = view;
		this.decidesAt = decidesAt;
	}

	static <C extends HookedCall, O, D extends HookDecision> PostStep<C, O, D> of(ChainKind<C, ?, D, ?> kind,
			HookEntry<?> entry, StepScope<C> scope, Step.Question<C, O, D> lesson, List<Step<C, C, ?>> masking,
			List<Step<C, C, D>> deciding) {
		if (!(entry.hook() instanceof ExternalHook external)) {
			return new PostStep<>(null, entry, scope, lesson, null, -1);
		}
		return new PostStep<>(kind.masking(), entry, scope, lesson, CallView.of(kind, masking, entry.masks()),
				placeOf(external, deciding));
	}

	@SuppressWarnings("ReferenceEquality") // the very hook, which decides and hears
	private static <C extends HookedCall, D extends HookDecision> int placeOf(ExternalHook hook,
			List<Step<C, C, D>> deciding) {
		for (Step<C, C, D> step : deciding) {
			if (step.hook() == hook && !hook.seesUnaskedCalls()) {
				return step.place;
			}
		}
		return -1;
	}

	String name() {
		return this.entry.name();
	}

	@Nullable PostStep<C, O, D> forTarget(Object target) {
		StepScope<C> scope = this.scope.forTarget(target);
		return (scope != null) ? new PostStep<>(this.masking, this.entry, scope, this.lesson, this.view, this.decidesAt)
				: null;
	}

	void tell(C call, O outcome, int askedUpTo, Watches watches) {
		if (!this.scope.includes(call)) {
			return;
		}
		Masking<C, D> masking = this.masking;
		CallView<C, D> view = this.view;
		C seenCall = call;
		O seenOutcome = outcome;
		if (masking != null && (view != null || this.decidesAt > askedUpTo)) {
			UnaryOperator<C> seen = (view == null || this.decidesAt > askedUpTo) ? masking::withoutArguments
					: view::orWithoutArguments;
			seenCall = seen.apply(call);
			seenOutcome = masking.masked(outcome, seen);
		}
		tellSeen(seenCall, seenOutcome, watches);
	}

	private void tellSeen(C call, O outcome, Watches watches) {
		WatchedHook watched = watches.ask(this.entry, HookPart.LEARN);
		try {
			this.entry.around().tell(() -> learn(call, outcome));
		}
		catch (Throwable ex) {
			watched.end(null, ex);
			throw ex;
		}
		watched.end(null, null);
	}

	private void learn(C call, O outcome) {
		@Nullable D unused = this.lesson.ask(call, outcome);
	}

	void tellAlone(C call, O outcome) {
		if (this.scope.includesTargetOf(call)) {
			tell(call, outcome, Integer.MAX_VALUE, Watches.NONE);
		}
	}

}
