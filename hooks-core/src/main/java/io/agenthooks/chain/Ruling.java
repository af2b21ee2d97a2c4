package io.agenthooks.chain;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.AbortedRuns;
import io.agenthooks.AdditionalContext;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.HookDecision;
import io.agenthooks.HookListener;
import io.agenthooks.Verdict;
import io.agenthooks.chain.WatchedCall.HookPart;

/**
 * The decision about one call. What reaches further, such as a line in the log or the
 * memory of an abort, stands in methods of its own, so that {@link Rehearsal} can do
 * without.
 */
@SuppressWarnings("ReferenceEquality") // an approval without words is one object
abstract sealed class Ruling<C extends HookedCall, R, D extends HookDecision, E> permits Passage, Rehearsal {

	static final String FAILED = "The hook failed";

	static final String UNDECIDED = "The hook decided nothing";

	private static final String SHUT_DOWN = "The application is shutting down, so no further call begins";

	final Gate<C, R, D, E> gate;

	final ChainKind<C, R, D, E> kind;

	final @Nullable HookListener<E> listener;

	final Watches watches;

	final CallNotes notes;

	HookSet<C, R, D> hooks;

	C call;

	D decision;

	@Nullable String decidedBy;

	/** The place of the last hook that was asked whether the call may happen. */
	int askedUpTo = -1;

	final Remarks<D> remarks = new Remarks<>();

	Ruling(Gate<C, R, D, E> gate, C call, HookSet<C, R, D> hooks, @Nullable HookListener<E> listener, Watches watches,
			CallNotes notes) {
		this.gate = gate;
		this.kind = gate.kind();
		this.listener = listener;
		this.watches = watches;
		this.notes = notes;
		this.hooks = hooks;
		this.call = call;
		this.decision = this.kind.approve();
	}

	/** The target says why the final call cannot be made, or {@code null}. */
	void decide(boolean isTooDeep, @Nullable Function<C, @Nullable String> target) {
		admit();
		if (!isRefused() && isTooDeep) {
			settle(this.kind.deny("Calls are nested too deep"), BuiltInDecider.NESTING_LIMIT.value());
		}
		if (!isRefused()) {
			askHooks();
		}
		conclude(target);
	}

	void conclude(@Nullable Function<C, @Nullable String> target) {
		askTarget(target);
		if (!isRefused() && this.remarks.question != null) {
			askPerson(this.remarks.question);
			askTarget(target);
		}
		if (!isRefused()) {
			// The answer of a hook or of a person may have taken long.
			admit();
		}
	}

	void admit() {
		String closed = this.gate.whyClosed(this.call);
		if (closed != null) {
			this.remarks.closed = true;
			settle(this.kind.deny(closed), BuiltInDecider.KILL_SWITCH.value());
			return;
		}
		if (isShutDown()) {
			settle(this.kind.deny(SHUT_DOWN), BuiltInDecider.SHUTDOWN.value());
			return;
		}
		AbortedRuns abortedRuns = this.gate.abortedRuns();
		if (abortedRuns.isEmpty()) {
			return;
		}
		AbortedRuns.Abortion abortion = abortionIn(abortedRuns);
		if (abortion != null) {
			settle(this.kind.abortRun(abortion.reason()), abortion.hook());
		}
		else if (isFull(abortedRuns)) {
			settle(this.kind.deny("Too many aborted runs have not ended"), BuiltInDecider.ABORT_LIMIT.value());
		}
	}

	boolean isShutDown() {
		return this.gate.isShutDown();
	}

	AbortedRuns.@Nullable Abortion abortionIn(AbortedRuns abortedRuns) {
		return abortedRuns.find(this.call.context());
	}

	boolean isFull(AbortedRuns abortedRuns) {
		return abortedRuns.isFullFor(this.call.context());
	}

	private void askHooks() {
		Step<C, C, D>[] steps = this.hooks.deciding;
		boolean trace = this.kind.logger.isTraceEnabled();
		for (int i = 0; i < steps.length; i++) {
			Step<C, C, D> step = steps[i];
			if (trace) {
				this.kind.logger.trace("Asking the hook '{}'", step.name());
			}
			this.askedUpTo = step.place;
			D decision = ask(step, this.call, HookPart.DECIDE);
			if (decision == this.kind.approve()) {
				continue;
			}
			if (isSettledBy(decision, step)) {
				break;
			}
			if (steps != this.hooks.deciding) {
				// The change of a call may make it one for other hooks.
				steps = this.hooks.deciding;
				i = -1;
				while (i + 1 < steps.length && steps[i + 1].place <= step.place) {
					i++;
				}
			}
		}
		if (!isRefused()) {
			askPolicies();
		}
	}

	private boolean isSettledBy(D decision, Step<C, C, D> step) {
		switch (decision.verdict()) {
			case APPROVE -> mark(decision, step.name());
			case MODIFY -> change(decision, step.name(), step.place);
			case ASK -> ask(decision, step.name());
			case RESPOND -> {
				settle(decision, step.name());
				this.remarks.answeredAt = step.place;
				return true;
			}
			case DENY, ABORT -> {
				refuse(decision, step.name());
				return true;
			}
		}
		return false;
	}

	/**
	 * Ask the policies that have not seen the final call, and the hooks that it became
	 * one for when their turn was over. They may object; they may no longer change
	 * anything, nor need they if the call is answered.
	 */
	private void askPolicies() {
		for (Step<C, C, D> step : this.hooks.deciding) {
			if (!this.remarks.isDue(step)) {
				continue;
			}
			D decision = ask(step, this.call, HookPart.DECIDE);
			switch (decision.verdict()) {
				case APPROVE -> mark(decision, step.name());
				case MODIFY -> {
					if (!isAnswered() && !this.kind.change(this.call, decision, step.name()).equals(this.call)) {
						settle(this.kind.deny("The hook wants to change arguments that are final"), step.name());
					}
				}
				case ASK -> ask(decision, step.name());
				case RESPOND -> {
					if (!isAnswered()) {
						settle(decision, step.name());
					}
				}
				case DENY, ABORT -> refuse(decision, step.name());
			}
			if (isRefused()) {
				return;
			}
		}
	}

	void askTarget(@Nullable Function<C, @Nullable String> target) {
		if (target == null || isRefused() || isAnswered()) {
			return;
		}
		try {
			String objection = target.apply(this.call);
			if (objection != null) {
				settle(this.kind.deny(objection), BuiltInDecider.ARGUMENTS.value());
			}
		}
		catch (Throwable ex) {
			caught(ex);
			logFailure("The check of the arguments", ex, "the call is denied");
			settle(this.kind.deny("The arguments could not be checked"), BuiltInDecider.ARGUMENTS.value());
		}
	}

	/**
	 * A failure that is not of the hook alone, or of one that may not fail, is a denial.
	 */
	<S> D ask(Step<C, S, D> step, S subject, HookPart part) {
		Rehearsal.@Nullable Asking<D> asking = asking();
		@Nullable D decision;
		try {
			decision = step.ask(this.call, subject, this.watches, part, asking);
		}
		catch (Throwable ex) {
			D denial = failed(step.name(), ex,
					(part == HookPart.RESULT) ? "the result is withheld" : "the call is denied");
			answered(step, asking, denial);
			return denial;
		}
		answered(step, asking, decision);
		if (decision == this.kind.approve()) {
			return decision;
		}
		return (decision != null) ? accept(decision) : undecided(step.name());
	}

	Rehearsal.@Nullable Asking<D> asking() {
		return null;
	}

	void answered(Step<C, ?, D> step, Rehearsal.@Nullable Asking<D> asking, @Nullable D decision) {
	}

	private D accept(D decision) {
		String context = decision.additionalContext();
		if (context != null) {
			this.remarks.additionalContext = AdditionalContext.join(this.remarks.additionalContext, context);
		}
		return decision;
	}

	private D failed(String hook, Throwable ex, String consequence) {
		caught(ex);
		logFailure("The hook '" + hook + "'", ex, consequence);
		tell(() -> this.kind.hookFailed(shown(this.call), hook, ex.getClass().getName()));
		return this.kind.deny(FAILED);
	}

	private D undecided(String hook) {
		logUndecided(hook);
		tell(() -> this.kind.hookFailed(shown(this.call), hook, "no decision"));
		return this.kind.deny(UNDECIDED);
	}

	void logUndecided(String hook) {
		this.kind.logger.warn("The hook '{}' decided nothing; that counts as a denial", hook);
	}

	void logFailure(String who, Throwable ex, String consequence) {
		this.gate.failures().log(who, ex, consequence);
	}

	private void caught(Throwable ex) {
		if (Failures.isFatal(ex)) {
			this.remarks.fatal = (Error) ex;
		}
	}

	void mark(D approval, String hook) {
		String failure = approval.failure();
		if (failure != null) {
			this.remarks.failedOpen.add(hook);
			warnOfFailOpen(hook, failure);
			tell(() -> this.kind.failedOpen(shown(this.call), hook, failure));
		}
		if (approval.observed() == Verdict.DENY || approval.observed() == Verdict.ABORT) {
			this.remarks.wouldDeny.add(hook);
		}
	}

	void warnOfFailOpen(String hook, String failure) {
		this.gate.log().failedOpen(this.call, hook, failure);
	}

	private void change(D modification, String hook, int place) {
		C before = this.call;
		this.call = this.kind.change(before, modification, hook);
		settle(modification, hook);
		this.remarks.rememberAsked(this.hooks.deciding, place);
		if (!this.kind.isSameTarget(before, this.call)) {
			this.hooks = this.hooks.forCall(this.call);
		}
		this.remarks.changedAt = place;
		tell(() -> this.kind.modified(shown(before), shown(this.call), hook));
	}

	private void ask(D question, String hook) {
		D asked = this.kind.people().asked(question, hook);
		if (this.remarks.question == null) {
			this.remarks.question = asked;
			this.remarks.asker = hook;
		}
		else {
			this.remarks.question = this.kind.people().join(this.remarks.question, asked);
		}
	}

	void refuse(D refusal, String hook) {
		settle(refusal, hook);
		tell(() -> this.kind.refused(shown(this.call), hook, refusal));
		if (refusal.scope() == AbortScope.RUN) {
			remember(refusal, hook);
		}
	}

	void remember(D refusal, String hook) {
		this.gate.abortedRuns().remember(this.call.context(), HookDecision.reasonOf(refusal.reason()), hook);
	}

	void settle(D decision, String hook) {
		this.decision = decision;
		this.decidedBy = hook;
	}

	/**
	 * A person who changes the call has approved the changed one, so policies may still
	 * object but need not ask again. A question that still waits settles the call: it is
	 * not made now.
	 */
	void askPerson(D question) {
		tell(() -> this.kind.people()
			.personAsked(shown(this.call), Objects.requireNonNull(this.remarks.asker), question));
		takeAnswer(question);
	}

	void takeAnswer(D question) {
		String asker = Objects.requireNonNull(this.remarks.asker);
		D answer = answer(question, asker);
		this.remarks.answer = answer;
		if (answer.verdict() != Verdict.ASK) {
			tell(() -> this.kind.people().personAnswered(shown(this.call), asker, question, shown(answer, asker)));
		}
		switch (answer.verdict()) {
			case APPROVE -> mark(answer, asker);
			case MODIFY -> {
				if (isAnswered()) {
					settle(this.kind.deny("The approver changed a call that a hook had answered"), asker);
					return;
				}
				change(answer, asker, Integer.MAX_VALUE);
				askPolicies();
			}
			case DENY, ABORT -> refuse(answer, asker);
			case ASK -> settle(answer, asker);
			case RESPOND -> throw new IllegalStateException("No answer to a question");
		}
	}

	People.@Nullable Approver<C, D> askedApprover() {
		return this.gate.approver();
	}

	private D answer(D question, String asker) {
		People.Approver<C, D> approver = askedApprover();
		try {
			@Nullable D answer = (approver != null) ? approver.answer(this.call, question) : null;
			return (answer == null || isNoAnswer(answer)) ? this.kind.deny("The approver neither approved nor denied")
					: accept(answer);
		}
		catch (Throwable ex) {
			caught(ex);
			logFailure("The approver", ex, "the call is denied");
			tell(() -> this.kind.hookFailed(shown(this.call), asker, ex.getClass().getName()));
			return this.kind.deny("The approver failed");
		}
	}

	private static boolean isNoAnswer(HookDecision answer) {
		return answer.verdict() == Verdict.RESPOND || (answer.verdict() == Verdict.ASK && answer.pending() == null);
	}

	C shown(C call) {
		CallView<C, D> view = this.hooks.events;
		return (view != null) ? view.orWithoutArguments(call) : call;
	}

	private D shown(D answer, String asker) {
		CallView<C, D> view = this.hooks.events;
		return (view != null && answer.verdict() == Verdict.MODIFY)
				? view.masking().masked(answer, shown(this.kind.change(this.call, answer, asker))) : answer;
	}

	void tell(Supplier<@Nullable E> made) {
		E event = (this.listener != null) ? made.get() : null;
		if (event == null || this.listener == null) {
			return;
		}
		try {
			this.listener.onEvent(event);
		}
		catch (Throwable ex) {
			this.gate.failures().log("A listener", ex, "the " + this.kind.noun() + " goes on");
		}
	}

	boolean isAnswered() {
		return this.decision.verdict() == Verdict.RESPOND;
	}

	/** Also true while people have not answered. */
	boolean isRefused() {
		D decision = this.decision;
		return decision != this.kind.approve() && switch (decision.verdict()) {
			case DENY, ABORT, ASK -> true;
			case APPROVE, MODIFY, RESPOND -> false;
		};
	}

}
