package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.HookDecision;
import io.agenthooks.Verdict;
import io.agenthooks.chain.WatchedCall.HookPart;

/**
 * The decision about a call that nobody makes. It leaves no trace, and no person is
 * asked. Hooks that would not be asked, because others have settled the call, are asked
 * nevertheless.
 */
final class Rehearsal<C extends HookedCall, R, D extends HookDecision, E> extends Ruling<C, R, D, E> {

	private final boolean live;

	private final Map<Integer, Explained.Answer<D>> answers = new TreeMap<>();

	Rehearsal(Gate<C, R, D, E> gate, C call, HookSet<C, R, D> hooks, boolean live) {
		super(gate, call, hooks, null, Watches.NONE,
				CallNotes.ofRehearsed(call, CallNotes.ofThisThread().isOf(call, gate.kind())));
		this.live = live;
	}

	/**
	 * If this thread works for that call, it waits for people, and hooks were asked about
	 * it before.
	 */
	Explained<C, D> explain(Explained.@Nullable Refusal refusal, boolean isTooDeep,
			@Nullable Function<C, @Nullable String> target) {
		return this.notes.execute(() -> explainNow(refusal, isTooDeep, target));
	}

	private Explained<C, D> explainNow(Explained.@Nullable Refusal refusal, boolean isTooDeep,
			@Nullable Function<C, @Nullable String> target) {
		if (refusal != null) {
			admit();
			if (!isRefused()) {
				settle(this.kind.deny(refusal.reason()), refusal.decider().value());
			}
		}
		else {
			decide(isTooDeep, target);
		}
		C call = this.call;
		D decision = this.decision;
		String decidedBy = this.decidedBy;
		if (!isRefused() && this.remarks.question != null) {
			decision = this.remarks.question;
			decidedBy = this.remarks.asker;
		}
		boolean byTarget = BuiltInDecider.ARGUMENTS.value().equals(decidedBy);
		List<Explained.Answer<D>> all = new ArrayList<>();
		if (decidedBy != null && isBuiltIn(decidedBy) && !byTarget) {
			all.add(new Explained.Answer<>(decidedBy, true, decision, false, null));
		}
		askOthers();
		all.addAll(this.answers.values());
		D objection = (byTarget) ? decision : (refusal != null) ? null : objection(target);
		if (objection != null) {
			all.add(new Explained.Answer<>(BuiltInDecider.ARGUMENTS.value(), true, objection, false, null));
		}
		if (this.remarks.fatal != null) {
			throw this.remarks.fatal;
		}
		return new Explained<>(call, decision, decidedBy, all);
	}

	/** Also true of a hook that aborted the run before. */
	private boolean isBuiltIn(String decider) {
		return this.answers.values().stream().noneMatch((answer) -> answer.name().equals(decider));
	}

	/** Asks about the call as those before them would leave it. */
	private void askOthers() {
		for (Step<C, C, D> step : this.hooks.deciding) {
			if (this.answers.containsKey(step.place)) {
				continue;
			}
			D decision = ask(step, this.call, HookPart.DECIDE);
			if (decision.verdict() == Verdict.MODIFY) {
				this.call = this.kind.change(this.call, decision, step.name());
			}
		}
	}

	/**
	 * The objection to a call that is settled, about which the target would not be asked.
	 */
	private @Nullable D objection(@Nullable Function<C, @Nullable String> target) {
		if (this.decision.verdict() != Verdict.DENY && this.decision.verdict() != Verdict.ABORT) {
			return null;
		}
		D settled = this.decision;
		settle(this.kind.approve(), "");
		askTarget(target);
		D objection = this.decision;
		settle(settled, "");
		return (objection.verdict() == Verdict.DENY) ? objection : null;
	}

	@Override
	Asking<D> asking() {
		return new Asking<>(this.live);
	}

	@Override
	void answered(Step<C, ?, D> step, @Nullable Asking<D> asking, @Nullable D decision) {
		if (asking == null || !asking.isFor) {
			return;
		}
		D said = (asking.observed != null) ? asking.observed
				: (asking.isAsked) ? (decision != null) ? decision : this.kind.deny(UNDECIDED) : null;
		this.answers.put(step.place, new Explained.Answer<>(step.name(), false, said, step.observes(), asking.whyNot));
	}

	@Override
	AbortedRuns.@Nullable Abortion abortionIn(AbortedRuns abortedRuns) {
		return abortedRuns.peek(this.call.context());
	}

	@Override
	boolean isFull(AbortedRuns abortedRuns) {
		return abortedRuns.wouldBeFullFor(this.call.context());
	}

	/** Asks nobody, unless there is nobody to ask: then the answer is known. */
	@Override
	void askPerson(D question) {
		People.Approver<C, D> approver = this.gate.approver();
		if (approver == null || !approver.hasPerson()) {
			super.askPerson(question);
		}
	}

	@Override
	void remember(D refusal, String hook) {
	}

	@Override
	void logUndecided(String hook) {
	}

	@Override
	void logFailure(String who, Throwable ex, String consequence) {
		if (ex instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	void warnOfFailOpen(String hook, String failure) {
	}

	static final class Asking<D> {

		final boolean live;

		boolean isFor = true;

		boolean isAsked = true;

		@Nullable String whyNot;

		@Nullable D observed;

		Asking(boolean live) {
			this.live = live;
		}

	}

}
