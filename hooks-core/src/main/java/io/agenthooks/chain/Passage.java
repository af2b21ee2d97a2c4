package io.agenthooks.chain;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.HookListener;
import io.agenthooks.HookOutcome;
import io.agenthooks.Withheld;
import io.agenthooks.chain.WatchedCall.HookPart;

/**
 * The way of one call through the hooks, the same for calls of every kind:
 * <ol>
 * <li>The call is refused at once if its gate is closed, if its run was aborted, or if
 * too many calls are inside one another.</li>
 * <li>Hooks are asked one after the other, each about the call as those before it left
 * it. The first to deny, respond or abort settles the call. One that fails denies.</li>
 * <li>Every policy has to agree to the final call: those that were asked before a change
 * are asked again, and those after an answer are asked too.</li>
 * <li>The target, such as a tool, must accept the final call.</li>
 * <li>If a hook wants a person to approve, the person is asked, about the final call. If
 * the question is kept until people have time, the call ends here.</li>
 * <li>The caller makes the call, or gets what stands for a result, or an exception.</li>
 * <li>Result hooks may replace the result, or what a hook answered.</li>
 * <li>Once, the end of the call is reported, whatever happened.</li>
 * </ol>
 * A call may change its thread, but only one thread at a time may ask hooks; any may try
 * to end it.
 *
 * @param <C> the calls
 * @param <R> what they result in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
@SuppressWarnings({ "ReferenceEquality", "try" }) // an approval without words is one
													// object; bindings only end
public final class Passage<C extends HookedCall, R, D extends HookDecision, E> extends Ruling<C, R, D, E> {

	private final C requested;

	private final AtomicBoolean ended = new AtomicBoolean();

	private final boolean counted;

	/** Whether the gate did not let the call begin, because the application ends. */
	private final boolean late;

	private boolean bound;

	/** The approver of this call alone, or {@code null} for that of the gate. */
	private final People.@Nullable Approver<C, D> ownApprover;

	Passage(Gate<C, R, D, E> gate, C call, HookSet<C, R, D> hooks, @Nullable HookListener<E> listener, Watches watches,
			People.@Nullable Approver<C, D> ownApprover) {
		super(gate, call, hooks, listener, watches, CallNotes.begin(call,
				(listener != null || watches.isAny() || hooks.timed) ? System.nanoTime() : 0, ownApprover != null));
		this.requested = call;
		this.ownApprover = ownApprover;
		boolean learned = hooks.learning.length > 0;
		this.counted = learned && gate.begin();
		this.late = learned && !this.counted;
	}

	@Override
	boolean isShutDown() {
		return this.late || super.isShutDown();
	}

	@Override
	People.@Nullable Approver<C, D> askedApprover() {
		return (this.ownApprover != null) ? this.ownApprover : super.askedApprover();
	}

	/**
	 * Let this thread go on with the call: hooks find their notes, and watches bind it to
	 * the thread, unless it is bound already.
	 * @return ends that on the same thread
	 */
	public WatchedCall.Binding bind() {
		if (this.bound) {
			return Watches.UNBOUND;
		}
		Nesting nesting = Nesting.ofThisThread();
		CallNotes around = nesting.setNotes(this.notes);
		this.bound = true;
		WatchedCall.Binding watching = this.watches.bind();
		return () -> {
			this.bound = false;
			watching.close();
			nesting.setNotes(around);
		};
	}

	/**
	 * Ask the hooks that decide, the target and, if a hook wants it, a person.
	 * @param nesting what this thread is inside of, this call included
	 * @param target says why the final call cannot be made like this, which the model
	 * gets to read; {@code null} if every call can
	 * @return what the caller gets without making the call, which then has ended, or
	 * {@code null} if the caller has to make it and to end it
	 * @throws RuntimeException the exception of the kind if the call is refused with one
	 */
	public @Nullable R begin(Nesting nesting, @Nullable Function<C, @Nullable String> target) {
		try (WatchedCall.Binding binding = bind()) {
			tell(() -> this.kind.started(shown(this.call)));
			decide(nesting.isTooDeep(), target);
			return settled();
		}
	}

	/**
	 * Deny a call without asking hooks, because nothing can be decided about it.
	 * @param decider who denies it, in place of a hook's name
	 * @param reason why
	 * @return what stands for a result
	 * @throws RuntimeException the exception of the kind if the call is refused with one
	 */
	public R refuse(String decider, String reason) {
		try (WatchedCall.Binding binding = bind()) {
			tell(() -> this.kind.started(shown(this.call)));
			admit();
			if (!isRefused()) {
				settle(this.kind.deny(reason), decider);
			}
			return refused();
		}
	}

	/**
	 * Deny a call about which people were asked before, as they answered. It is reported
	 * as if they answered now.
	 * @param question what they were asked
	 * @param asker the hook that asked
	 * @return what stands for a result
	 * @throws RuntimeException the exception of the kind if the call is refused with one
	 */
	public R refuseAnswered(D question, String asker) {
		try (WatchedCall.Binding binding = bind()) {
			tell(() -> this.kind.started(shown(this.call)));
			admit();
			if (!isRefused()) {
				this.remarks.question = question;
				this.remarks.asker = asker;
				takeAnswer(question);
			}
			if (!isRefused()) {
				settle(this.kind.deny("The approver did not deny"), asker);
			}
			return refused();
		}
	}

	/**
	 * Deny a call that hooks let pass, because its target refused to be called. Result
	 * hooks are not asked.
	 * @param decider who denies it, in place of a hook's name
	 * @param reason why
	 * @return what stands for a result
	 */
	public R refuseLate(String decider, String reason) {
		try (WatchedCall.Binding binding = bind()) {
			settle(this.kind.deny(reason), decider);
			return refused();
		}
	}

	private @Nullable R settled() {
		return switch (this.decision.verdict()) {
			case APPROVE, MODIFY -> {
				String context = additionalContext();
				if (context != null) {
					this.call = this.kind.inform(this.call, context);
				}
				yield null;
			}
			case RESPOND -> finish(Ending.ANSWERED, this.kind.answer(this.decision));
			case DENY, ABORT, ASK -> refused();
		};
	}

	private R refused() {
		String hook = Objects.requireNonNull(this.decidedBy);
		Ending ending = switch (this.decision.verdict()) {
			case ABORT -> Ending.ABORTED;
			case ASK -> Ending.PENDING;
			case APPROVE, MODIFY, RESPOND, DENY -> (this.remarks.closed) ? Ending.DISABLED : Ending.DENIED;
		};
		claimEnd();
		String reason = HookDecision.reasonOf(this.decision.reason());
		if (ending == Ending.ABORTED) {
			this.gate.log().aborted(this.call, hook, this.decision);
		}
		else if (ending != Ending.PENDING) {
			this.gate.log().denied(this.call, hook, this.decision);
		}
		throwIfFatal(ending, null);
		RuntimeException ex = this.kind.exception(this.call, hook, this.decision);
		if (ex != null) {
			tellEnd(ending, null, null, ex);
			throw ex;
		}
		R result = complete(this.kind.denied(hook, reason));
		tellEnd(ending, null, result, null);
		return result;
	}

	/** A failure of the virtual machine itself is the caller's, too. */
	private void throwIfFatal(Ending ending, @Nullable R original) {
		if (this.remarks.fatal != null) {
			tellEnd(ending, original, null, this.remarks.fatal);
			throw this.remarks.fatal;
		}
	}

	/**
	 * End the call with its result: let the result hooks see it first.
	 * @param ending how the call ended
	 * @param result the result
	 * @return what the caller gets
	 * @throws RuntimeException the exception of the kind if a hook aborts
	 * @throws CancellationException if the call has ended already
	 */
	public R finish(Ending ending, R result) {
		return finish(ending, result, null);
	}

	/**
	 * End a call whose failure the model reads as a text: let the result hooks see the
	 * text first.
	 * @param ending how the call ended
	 * @param result the text as a result, or the result if there is no failure
	 * @param failure what was thrown, or {@code null}
	 * @return what the caller gets
	 * @throws RuntimeException the exception of the kind if a hook aborts
	 * @throws CancellationException if the call has ended already
	 */
	public R finish(Ending ending, R result, @Nullable Throwable failure) {
		if (!claimEnd()) {
			throw new CancellationException("The " + this.kind.noun() + " has ended already");
		}
		try (WatchedCall.Binding binding = bind()) {
			return review(ending, result, failure);
		}
	}

	private R review(Ending ending, R result, @Nullable Throwable failure) {
		R replaced = result;
		for (Step<C, R, D> step : this.hooks.results) {
			D decision = ask(step, replaced, HookPart.RESULT);
			if (decision != this.kind.approve()) {
				replaced = replace(decision, replaced, result, step.name());
			}
			throwIfFatal(ending, result);
		}
		R complete = complete(replaced);
		tellEnd(ending, result, complete, failure);
		return complete;
	}

	private R replace(D decision, R before, R original, String hook) {
		return switch (decision.verdict()) {
			case APPROVE -> {
				mark(decision, hook);
				yield before;
			}
			case RESPOND -> replaced(before, this.kind.answer(decision), hook);
			case DENY -> withheld(before, decision, hook);
			case MODIFY, ASK ->
				withheld(before, this.kind.deny("The hook decided what cannot be done to a result"), hook);
			case ABORT -> {
				refuse(decision, hook);
				RuntimeException ex = Objects.requireNonNull(this.kind.exception(this.call, hook, decision));
				tellEnd(Ending.ABORTED, original, null, ex);
				throw ex;
			}
		};
	}

	private R withheld(R before, D denial, String hook) {
		String reason = HookDecision.reasonOf(denial.reason());
		this.gate.log().withheld(this.call, hook, denial);
		this.remarks.withheld.add(new Withheld(hook, reason, denial.rule()));
		return replaced(before, this.kind.withheld(before, hook, reason), hook);
	}

	private R replaced(R before, R result, String hook) {
		this.remarks.replacedBy.add(hook);
		tell(() -> this.kind.replaced(shown(this.call), before, result, hook));
		return result;
	}

	private R complete(R result) {
		String context = additionalContext();
		return (context != null) ? this.kind.complete(result, context) : result;
	}

	/**
	 * End the call without asking result hooks, unless it has ended already.
	 * @param ending how it ended
	 * @param result what the caller gets, or {@code null} if nothing
	 * @param failure the exception that the caller gets, or {@code null}
	 */
	public void end(Ending ending, @Nullable R result, @Nullable Throwable failure) {
		if (!claimEnd()) {
			return;
		}
		try (WatchedCall.Binding binding = bind()) {
			tellEnd(ending, result, result, failure);
		}
	}

	private boolean claimEnd() {
		return this.ended.compareAndSet(false, true);
	}

	private void tellEnd(Ending ending, @Nullable R original, @Nullable R result, @Nullable Throwable failure) {
		this.notes.end();
		try {
			if (this.listener != null || this.watches.isAny() || this.hooks.learning.length > 0) {
				this.kind.end(this, ending, original, result, failure);
			}
		}
		finally {
			this.notes.forget(this.gate.failures());
			if (this.counted) {
				this.gate.end();
			}
		}
	}

	/**
	 * Report how the call ended to post-call hooks and the listener.
	 * @param <O> the kind of outcome
	 * @param outcome how it ended
	 * @param event makes the event of that
	 */
	public <O extends HookOutcome> void tellEnd(O outcome, Function<O, E> event) {
		for (PostStep<C, Object, D> learner : this.hooks.learning) {
			try {
				learner.tell(this.call, outcome, this.askedUpTo, this.watches);
			}
			catch (Throwable ex) {
				this.gate.failures().log("The post-call hook '" + learner.name() + "'", ex, "the outcome stands");
				tell(() -> this.kind.hookFailed(shown(this.call), learner.name(), ex.getClass().getName()));
			}
		}
		this.watches.ended(outcome);
		CallView<C, D> view = this.hooks.events;
		tell(() -> event.apply((view != null) ? view.masking().masked(outcome, this::shown) : outcome));
	}

	/**
	 * Whether a hook may replace the result. One that cannot tell may.
	 * @return {@code false} if the result may be shown as it comes
	 */
	public boolean mayReplaceResult() {
		for (Step<C, R, D> step : this.hooks.results) {
			try {
				if (!step.observes() && step.scope().includes(this.call)) {
					return true;
				}
			}
			catch (RuntimeException ex) {
				return true;
			}
		}
		return false;
	}

	public C requested() {
		return this.requested;
	}

	public C call() {
		return this.call;
	}

	public D decision() {
		return this.decision;
	}

	public @Nullable String decidedBy() {
		return this.decidedBy;
	}

	public @Nullable D question() {
		return this.remarks.question;
	}

	public @Nullable D answer() {
		return this.remarks.answer;
	}

	public @Nullable String asker() {
		return this.remarks.asker;
	}

	public @Nullable String approver() {
		People.Approver<C, D> approver = askedApprover();
		return (approver != null) ? approver.name() : null;
	}

	public @Nullable String additionalContext() {
		return this.remarks.additionalContext;
	}

	public List<String> replacedBy() {
		return List.copyOf(this.remarks.replacedBy);
	}

	public List<Withheld> withheld() {
		return List.copyOf(this.remarks.withheld);
	}

	public List<String> failedOpen() {
		return List.copyOf(this.remarks.failedOpen);
	}

	public List<String> wouldDeny() {
		return List.copyOf(this.remarks.wouldDeny);
	}

	public Duration duration() {
		return Duration.ofNanos(this.notes.nanos());
	}

}
