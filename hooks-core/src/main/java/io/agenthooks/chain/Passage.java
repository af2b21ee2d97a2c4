package io.agenthooks.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.AbortedRuns;
import io.agenthooks.AdditionalContext;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.HookDecision;
import io.agenthooks.HookListener;
import io.agenthooks.Verdict;

/**
 * The way of one call through the hooks, the same for calls of every kind:
 * <ol>
 * <li>The call is refused at once if its gate is closed, if its run was aborted, or if
 * too many calls are inside one another.</li>
 * <li>Hooks are asked one after the other, each about the call as those before it left
 * it. The first to deny, respond or abort settles the call. One that fails denies.</li>
 * <li>Every policy has to agree to the final call: those that were asked before a change
 * are asked again, and those after an answer are asked too.</li>
 * <li>The {@linkplain Target#objection target} must accept the final call.</li>
 * <li>If a hook wants a {@linkplain Person person} to approve, the person is asked, about
 * the final call.</li>
 * <li>The caller makes the call, or gets what stands for a result, or an exception.</li>
 * <li>Result hooks may replace the result, or what a hook answered.</li>
 * <li>Once, everybody is told how the call ended, whatever happened.</li>
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
@SuppressWarnings("ReferenceEquality") // an approval without words is one object
public final class Passage<C extends HookedCall, R, D extends HookDecision, E> {

	private static final VarHandle ENDED;

	static {
		try {
			ENDED = MethodHandles.lookup().findVarHandle(Passage.class, "ended", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final Gate<C, R, D, E> gate;

	private final ChainKind<C, R, D, E> kind;

	private final @Nullable HookListener<E> listener;

	private final C requested;

	private final long start;

	private HookSet<C, R, D> hooks;

	private C call;

	private D decision;

	private @Nullable String decidedBy;

	/** What is to be remembered of a call about which hooks say more than approve. */
	private @Nullable Notes<D> notes;

	/**
	 * Whether the call has ended. Calls of some kinds may be ended by several threads.
	 */
	private boolean ended;

	Passage(Gate<C, R, D, E> gate, C call, HookSet<C, R, D> hooks, @Nullable HookListener<E> listener) {
		this.gate = gate;
		this.kind = gate.kind();
		this.listener = listener;
		this.requested = call;
		this.hooks = hooks;
		this.start = (listener != null || hooks.timed) ? System.nanoTime() : 0;
		this.call = call;
		this.decision = this.kind.approve();
	}

	/**
	 * Go on with a call that hooks were asked about already.
	 * @param asked how many of them only approved
	 * @param decision the decision of the next one, if there was one
	 * @param failure what that one threw, or {@code null}
	 * @return this
	 */
	Passage<C, R, D, E> after(int asked, @Nullable D decision, @Nullable Throwable failure) {
		Notes<D> notes = notes();
		notes.asked = asked;
		notes.decision = decision;
		notes.failure = failure;
		return this;
	}

	/**
	 * Ask the hooks that decide, and whoever else must agree.
	 * @param nesting what this thread is inside of, this call included
	 * @param target what would get the call, or {@code null} if that takes every one
	 * @return what the caller gets without making the call, which then has ended, or
	 * {@code null} if the caller has to make it and to end it
	 * @throws RuntimeException the exception of the kind if the call is refused with one
	 */
	public @Nullable R begin(Nesting nesting, @Nullable Target<C> target) {
		if (this.notes != null && this.notes.asked >= 0) {
			askHooks(this.notes.asked);
			this.notes.asked = -1;
		}
		else {
			if (this.listener != null) {
				tell(this.kind.started(this.call));
			}
			admit();
			if (!isRefused() && nesting.isTooDeep()) {
				settle(this.kind.deny("Calls are nested too deep"), BuiltInDecider.NESTING_LIMIT.value());
			}
			if (!isRefused()) {
				askHooks(0);
			}
		}
		askTarget(target);
		if (!isRefused() && this.notes != null && this.notes.question != null) {
			askPerson(this.notes.question, this.notes);
			askTarget(target);
		}
		if (!isRefused()) {
			// The answer of a hook or of a person may have taken long.
			admit();
		}
		return settled();
	}

	/**
	 * Deny a call that is not one to decide about. Who observes calls learns of it as of
	 * any other denial.
	 * @param decider who denies it, in place of a hook's name
	 * @param reason why
	 * @return what stands for a result
	 * @throws RuntimeException the exception of the kind if the call is refused with one
	 */
	public R refuse(String decider, String reason) {
		if (this.listener != null) {
			tell(this.kind.started(this.call));
		}
		admit();
		if (!isRefused()) {
			settle(this.kind.deny(reason), decider);
		}
		return refused();
	}

	private void admit() {
		String closed = this.gate.whyClosed();
		if (closed != null) {
			notes().closed = true;
			settle(this.kind.deny(closed), BuiltInDecider.KILL_SWITCH.value());
			return;
		}
		AbortedRuns abortedRuns = this.gate.abortedRuns();
		if (abortedRuns.isEmpty()) {
			return;
		}
		AbortedRuns.Abortion abortion = abortedRuns.find(this.call.context());
		if (abortion != null) {
			settle(this.kind.abortRun(abortion.reason()), abortion.hook());
		}
		else if (abortedRuns.isFullFor(this.call.context())) {
			settle(this.kind.deny("Too many aborted runs have not ended"), BuiltInDecider.ABORT_LIMIT.value());
		}
	}

	private void askHooks(int first) {
		Step<C, C, D>[] steps = this.hooks.deciding;
		boolean trace = this.kind.logger.isTraceEnabled();
		for (int i = first; i < steps.length; i++) {
			Step<C, C, D> step = steps[i];
			if (trace) {
				this.kind.logger.trace("Asking the hook '{}'", step.name());
			}
			D decision = ask(step, this.call, "the call is denied");
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
		if (this.notes != null && !isRefused()) {
			askPolicies(this.notes);
		}
	}

	/**
	 * Draw the consequence of a decision about the call.
	 * @return whether no further hook is to be asked
	 */
	private boolean isSettledBy(D decision, Step<C, C, D> step) {
		switch (decision.verdict()) {
			case APPROVE -> mark(decision, step.name());
			case MODIFY -> change(decision, step.name(), step.place);
			case ASK -> ask(decision, step.name());
			case RESPOND -> {
				settle(decision, step.name());
				notes().answeredAt = step.place;
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
	private void askPolicies(Notes<D> notes) {
		for (Step<C, C, D> step : this.hooks.deciding) {
			if (!notes.isDue(step)) {
				continue;
			}
			D decision = ask(step, this.call, "the call is denied");
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

	/**
	 * Ask whether the call can be made like this, if it is about to be.
	 */
	private void askTarget(@Nullable Target<C> target) {
		if (target == null || isRefused() || isAnswered()) {
			return;
		}
		try {
			String objection = target.objection(this.call);
			if (objection != null) {
				settle(this.kind.deny(objection), BuiltInDecider.ARGUMENTS.value());
			}
		}
		catch (Throwable ex) {
			caught(ex);
			Failures.log(this.kind.logger, "The check of the arguments", ex, "the call is denied");
			settle(this.kind.deny("The arguments could not be checked"), BuiltInDecider.ARGUMENTS.value());
		}
	}

	/**
	 * Ask a hook. A failure that is not of the hook alone, or of one that may not fail,
	 * is a denial.
	 */
	private <S> D ask(Step<C, S, D> step, S subject, String consequence) {
		@Nullable D decision;
		try {
			decision = (this.notes != null && this.notes.asked >= 0) ? this.notes.alreadyDecided()
					: step.ask(this.call, subject);
		}
		catch (Throwable ex) {
			return failed(step.name(), ex, consequence);
		}
		if (decision == this.kind.approve()) {
			return decision;
		}
		return (decision != null) ? accept(decision) : undecided(step.name());
	}

	private D accept(D decision) {
		String context = decision.additionalContext();
		if (context != null) {
			notes().additionalContext = AdditionalContext.join(notes().additionalContext, context);
		}
		return decision;
	}

	private D failed(String hook, Throwable ex, String consequence) {
		caught(ex);
		Failures.log(this.kind.logger, "The hook '" + hook + "'", ex, consequence);
		if (this.listener != null) {
			tell(this.kind.hookFailed(this.call, hook, ex.getClass().getName()));
		}
		return this.kind.deny("The hook failed");
	}

	private D undecided(String hook) {
		this.kind.logger.warn("The hook '{}' decided nothing; that counts as a denial", hook);
		if (this.listener != null) {
			tell(this.kind.hookFailed(this.call, hook, "no decision"));
		}
		return this.kind.deny("The hook decided nothing");
	}

	private void caught(Throwable ex) {
		if (Failures.isFatal(ex)) {
			notes().fatal = (Error) ex;
		}
	}

	/**
	 * Remember what an approval says beside that there is no objection.
	 */
	private void mark(D approval, String hook) {
		String failure = approval.failure();
		if (failure != null) {
			notes().failedOpen = with(notes().failedOpen, hook);
			this.gate.warn(hook,
					"The hook '" + hook + "' failed open on the " + this.kind.describe(this.call) + ": " + failure);
			if (this.listener != null) {
				tell(this.kind.failedOpen(this.call, hook, failure));
			}
		}
		if (approval.observed() == Verdict.DENY || approval.observed() == Verdict.ABORT) {
			notes().wouldDeny = with(notes().wouldDeny, hook);
		}
	}

	private void change(D modification, String hook, int place) {
		C before = this.call;
		this.call = this.kind.change(before, modification, hook);
		settle(modification, hook);
		if (this.kind.changesTargets()) {
			notes().rememberAsked(this.hooks.deciding, place);
			this.hooks = this.hooks.forCall(this.call);
		}
		notes().changedAt = place;
		if (this.listener != null) {
			tell(this.kind.modified(before, this.call, hook));
		}
	}

	private void ask(D question, String hook) {
		Notes<D> notes = notes();
		if (notes.question == null) {
			notes.question = question;
			notes.asker = hook;
		}
		else {
			notes.question = this.kind.join(notes.question, question);
		}
	}

	private void refuse(D refusal, String hook) {
		settle(refusal, hook);
		if (this.listener != null) {
			tell(this.kind.refused(this.call, hook, refusal));
		}
		if (refusal.scope() == AbortScope.RUN) {
			this.gate.abortedRuns().remember(this.call.context(), HookDecision.reasonOf(refusal.reason()), hook);
		}
	}

	private void settle(D decision, String hook) {
		this.decision = decision;
		this.decidedBy = hook;
	}

	/**
	 * Ask the person. One who changes the call has approved the changed one, so policies
	 * may still object but need not ask again.
	 */
	private void askPerson(D question, Notes<D> notes) {
		String asker = Objects.requireNonNull(notes.asker);
		if (this.listener != null) {
			tell(this.kind.personAsked(this.call, asker, question));
		}
		D answer = answer(question, asker);
		if (this.listener != null) {
			tell(this.kind.personAnswered(this.call, asker, question, answer));
		}
		switch (answer.verdict()) {
			case APPROVE -> mark(answer, asker);
			case MODIFY -> {
				if (isAnswered()) {
					settle(this.kind.deny("The approver changed a call that a hook had answered"), asker);
					return;
				}
				change(answer, asker, Integer.MAX_VALUE);
				askPolicies(notes);
			}
			case DENY, ABORT -> refuse(answer, asker);
			case ASK, RESPOND -> throw new IllegalStateException("No answer to a question");
		}
	}

	private D answer(D question, String asker) {
		Person<C, D> person = this.gate.person();
		try {
			@Nullable D answer = (person != null) ? person.answer(this.call, question) : null;
			return (answer == null || answer.verdict() == Verdict.ASK || answer.verdict() == Verdict.RESPOND)
					? this.kind.deny("The approver neither approved nor denied") : accept(answer);
		}
		catch (Throwable ex) {
			caught(ex);
			Failures.log(this.kind.logger, "The approver", ex, "the call is denied");
			if (this.listener != null) {
				tell(this.kind.hookFailed(this.call, asker, ex.getClass().getName()));
			}
			return this.kind.deny("The approver failed");
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
			case DENY, ABORT -> refused();
			case ASK -> throw new IllegalStateException("A question does not settle a call");
		};
	}

	private R refused() {
		String hook = Objects.requireNonNull(this.decidedBy);
		boolean aborted = this.decision.verdict() == Verdict.ABORT;
		Ending ending = (aborted) ? Ending.ABORTED : (notes().closed) ? Ending.DISABLED : Ending.DENIED;
		claimEnd();
		throwIfFatal(ending, null);
		RuntimeException ex = this.kind.exception(this.call, hook, this.decision);
		if (ex != null) {
			tellEnd(ending, null, null, ex);
			throw ex;
		}
		R result = complete(this.kind.denied(hook, HookDecision.reasonOf(this.decision.reason())));
		tellEnd(ending, null, result, null);
		return result;
	}

	/**
	 * A failure of the virtual machine itself is the caller's, too.
	 */
	private void throwIfFatal(Ending ending, @Nullable R original) {
		if (this.notes != null && this.notes.fatal != null) {
			tellEnd(ending, original, null, this.notes.fatal);
			throw this.notes.fatal;
		}
	}

	/**
	 * End the call with its result, or with what a hook answered: let the result hooks
	 * see it first.
	 * @param ending how the call ended
	 * @param result the result
	 * @return what the caller gets
	 * @throws RuntimeException the exception of the kind if a hook aborts
	 * @throws CancellationException if the call has ended already
	 */
	public R finish(Ending ending, R result) {
		if (!claimEnd()) {
			throw new CancellationException("The " + this.kind.noun() + " has ended already");
		}
		R replaced = result;
		Step<C, R, D>[] steps = this.hooks.results;
		for (int i = (this.notes != null && this.notes.asked >= 0) ? this.notes.asked : 0; i < steps.length; i++) {
			Step<C, R, D> step = steps[i];
			D decision = ask(step, replaced, "the result is withheld");
			if (decision != this.kind.approve()) {
				replaced = replace(decision, replaced, result, step.name());
			}
			throwIfFatal(ending, result);
		}
		R complete = complete(replaced);
		tellEnd(ending, result, complete, null);
		return complete;
	}

	private R replace(D decision, R before, R original, String hook) {
		return switch (decision.verdict()) {
			case APPROVE -> {
				mark(decision, hook);
				yield before;
			}
			case RESPOND -> replaced(before, this.kind.answer(decision), hook);
			case DENY ->
				replaced(before, this.kind.withheld(before, hook, HookDecision.reasonOf(decision.reason())), hook);
			case MODIFY, ASK -> replaced(before,
					this.kind.withheld(before, hook, "The hook decided what cannot be done to a result"), hook);
			case ABORT -> {
				refuse(decision, hook);
				RuntimeException ex = Objects.requireNonNull(this.kind.exception(this.call, hook, decision));
				tellEnd(Ending.ABORTED, original, null, ex);
				throw ex;
			}
		};
	}

	private R replaced(R before, R result, String hook) {
		notes().replacedBy = with(notes().replacedBy, hook);
		if (this.listener != null) {
			tell(this.kind.replaced(this.call, before, result, hook));
		}
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
		if (claimEnd()) {
			tellEnd(ending, result, result, failure);
		}
	}

	/**
	 * Claim the right to end the call, which only one can have.
	 */
	private boolean claimEnd() {
		if (this.kind.endsOnAnyThread()) {
			return ENDED.compareAndSet(this, false, true);
		}
		boolean first = !this.ended;
		this.ended = true;
		return first;
	}

	private void tellEnd(Ending ending, @Nullable R original, @Nullable R result, @Nullable Throwable failure) {
		if (this.listener != null || this.hooks.learning.length > 0) {
			this.kind.end(this, ending, original, result, failure);
		}
	}

	/**
	 * Tell everybody how the call ended.
	 * @param <O> the kind of outcome
	 * @param outcome how it ended
	 * @param event makes the event of that
	 */
	public <O> void tellEnd(O outcome, Function<O, E> event) {
		for (Step<C, Object, D> step : this.hooks.learning) {
			try {
				step.tell(this.call, outcome);
			}
			catch (Throwable ex) {
				Failures.log(this.kind.logger, "The post-call hook '" + step.name() + "'", ex, "the outcome stands");
				if (this.listener != null) {
					tell(this.kind.hookFailed(this.call, step.name(), ex.getClass().getName()));
				}
			}
		}
		if (this.listener != null) {
			tell(event.apply(outcome));
		}
	}

	private void tell(@Nullable E event) {
		if (event == null || this.listener == null) {
			return;
		}
		try {
			this.listener.onEvent(event);
		}
		catch (Throwable ex) {
			Failures.log(this.kind.logger, "A listener", ex, "the " + this.kind.noun() + " goes on");
		}
	}

	/**
	 * Whether a hook may replace the result, so that nobody must see a part of it before
	 * the call is finished. One that cannot tell may.
	 * @return {@code false} if it may be shown as it comes
	 */
	public boolean mayReplaceResult() {
		for (Step<C, R, D> step : this.hooks.results) {
			try {
				if (!step.observes() && step.isFor(this.call)) {
					return true;
				}
			}
			catch (RuntimeException ex) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The call as it was made.
	 * @return the call
	 */
	public C requested() {
		return this.requested;
	}

	/**
	 * The call as the hooks left it.
	 * @return the call
	 */
	public C call() {
		return this.call;
	}

	/**
	 * What the hooks decided together.
	 * @return the decision
	 */
	public D decision() {
		return this.decision;
	}

	/**
	 * Whose decision that is.
	 * @return the name of the hook, or {@code null} if nobody objected
	 */
	public @Nullable String decidedBy() {
		return this.decidedBy;
	}

	/**
	 * What else hooks want the model to know.
	 * @return the text, or {@code null} if there is none
	 */
	public @Nullable String additionalContext() {
		return (this.notes != null) ? this.notes.additionalContext : null;
	}

	/**
	 * How long the call took so far.
	 * @return the time since it entered
	 */
	public Duration duration() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

	/**
	 * The hooks that replaced or withheld the result.
	 * @return their names
	 */
	public List<String> replacedBy() {
		return (this.notes != null) ? this.notes.replacedBy : List.of();
	}

	/**
	 * The hooks that failed while the call passes.
	 * @return their names
	 */
	public List<String> failedOpen() {
		return (this.notes != null) ? this.notes.failedOpen : List.of();
	}

	/**
	 * The hooks that only observe, and would have denied or aborted.
	 * @return their names
	 */
	public List<String> wouldDeny() {
		return (this.notes != null) ? this.notes.wouldDeny : List.of();
	}

	private boolean isAnswered() {
		return this.decision.verdict() == Verdict.RESPOND;
	}

	private boolean isRefused() {
		D decision = this.decision;
		return decision != this.kind.approve()
				&& (decision.verdict() == Verdict.DENY || decision.verdict() == Verdict.ABORT);
	}

	private Notes<D> notes() {
		Notes<D> notes = this.notes;
		if (notes == null) {
			notes = new Notes<>();
			this.notes = notes;
		}
		return notes;
	}

	/**
	 * Names with one more, if it is not among them.
	 */
	private static List<String> with(List<String> names, String name) {
		if (names.contains(name)) {
			return names;
		}
		if (names.isEmpty()) {
			return List.of(name);
		}
		List<String> more = new ArrayList<>(names);
		more.add(name);
		return Collections.unmodifiableList(more);
	}

	/**
	 * What few calls need.
	 *
	 * @param <D> the decisions
	 */
	private static final class Notes<D> {

		/** How many hooks only approved before this was needed, until the next is. */
		private int asked = -1;

		/** What the hook after them decided. */
		private @Nullable D decision;

		/** What that threw. */
		private @Nullable Throwable failure;

		/** The place of the hook that changed the call last. */
		private int changedAt = -1;

		/** The place of the hook that answered the call: those behind it saw nothing. */
		private int answeredAt = Integer.MAX_VALUE;

		/** The places of those that were asked before the call changed its target. */
		private @Nullable BitSet askedBefore;

		/** Whether the gate is closed. */
		private boolean closed;

		private @Nullable D question;

		private @Nullable String asker;

		private @Nullable String additionalContext;

		private @Nullable Error fatal;

		private List<String> replacedBy = List.of();

		private List<String> failedOpen = List.of();

		private List<String> wouldDeny = List.of();

		/**
		 * The decision of the hook after those that only approved.
		 */
		@Nullable D alreadyDecided() {
			this.asked = -1;
			if (this.failure != null) {
				throw Failures.rethrow(this.failure);
			}
			return this.decision;
		}

		/**
		 * Whether the hook at a place was asked about the call as it is now. Who changed
		 * it counts as asked.
		 */
		private boolean hasSeenTheFinalCall(int place) {
			return place >= this.changedAt && place <= this.answeredAt;
		}

		/**
		 * Whether a hook for the final call has to be asked after the last one.
		 */
		boolean isDue(Step<?, ?, ?> step) {
			if (step.isPolicy()) {
				return !hasSeenTheFinalCall(step.place);
			}
			return this.askedBefore != null && step.place <= this.changedAt && !this.askedBefore.get(step.place);
		}

		/**
		 * Remember who was asked since the call changed last.
		 */
		void rememberAsked(Step<?, ?, ?>[] steps, int place) {
			BitSet asked = (this.askedBefore != null) ? this.askedBefore : new BitSet();
			for (Step<?, ?, ?> step : steps) {
				if (step.place > this.changedAt && step.place <= place) {
					asked.set(step.place);
				}
			}
			this.askedBefore = asked;
		}

	}

}
