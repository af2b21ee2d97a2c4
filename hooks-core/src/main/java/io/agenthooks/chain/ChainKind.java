package io.agenthooks.chain;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * What is particular to the chains of one kind: the values that its calls, results,
 * decisions and events are. What happens to a call is the same for all kinds, and stands
 * in {@link Passage}.
 *
 * @param <C> the calls
 * @param <R> what a call results in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public abstract class ChainKind<C extends HookedCall, R, D extends HookDecision, E> {

	/** Longer names of targets are not remembered. */
	static final int MAX_NAME_LENGTH = 256;

	final Logger logger;

	private final String noun;

	private final D approval;

	private final Decisions<D> decisions;

	private final Events<C, E> events;

	/**
	 * Create a kind.
	 * @param noun what a call is called in the log
	 * @param decisions the decisions that a chain makes itself
	 * @param events the events that every kind has
	 * @param chain the class of the chains, whose logger they use
	 */
	protected ChainKind(String noun, Decisions<D> decisions, Events<C, E> events, Class<?> chain) {
		this.noun = noun;
		this.approval = decisions.approval();
		this.decisions = decisions;
		this.events = events;
		this.logger = LoggerFactory.getLogger(chain);
	}

	final D approve() {
		return this.approval;
	}

	final D deny(String reason) {
		return this.decisions.deny().apply(reason);
	}

	final D abortRun(String reason) {
		return this.decisions.abortRun().apply(reason);
	}

	final D failedOpen(String failure) {
		return this.decisions.failedOpen().apply(failure);
	}

	final D observed(Verdict verdict) {
		return this.decisions.observed().apply(verdict);
	}

	final E started(C call) {
		return this.events.started().apply(call);
	}

	final E hookFailed(C call, String hook, String failure) {
		return this.events.hookFailed().of(call, hook, failure);
	}

	final E failedOpen(C call, String hook, String failure) {
		return this.events.failedOpen().of(call, hook, failure);
	}

	final String noun() {
		return this.noun;
	}

	/**
	 * A call as the log names it.
	 * @param call the call
	 * @return words without secrets, in one line
	 */
	protected String describe(C call) {
		return this.noun + " '" + SafeText.name(call.id()) + "'";
	}

	/**
	 * By what the hooks for a call are chosen, beside its context.
	 * @param call the call
	 * @return the target, or {@code null} if it is unknown: then the call is for every
	 * hook
	 */
	protected @Nullable Object target(C call) {
		return null;
	}

	/**
	 * Whether a decision to change a call may change its target.
	 * @return {@code false} unless overridden
	 */
	protected boolean changesTargets() {
		return false;
	}

	/**
	 * Whether a call may be ended by another thread than that which began it, or by
	 * several.
	 * @return {@code true} unless overridden
	 */
	protected boolean endsOnAnyThread() {
		return true;
	}

	@SuppressWarnings("unchecked") // notes of another kind of call have another class
	final boolean isSameTarget(HookedCall one, HookedCall other) {
		return one.getClass() == other.getClass() && Objects.equals(target((C) one), target((C) other));
	}

	/**
	 * Whether a hook is for a target.
	 * @param targets tests the name of a target
	 * @param target the target
	 * @return whether it is
	 */
	protected boolean isFor(Predicate<String> targets, Object target) {
		return targets.test(target.toString());
	}

	/**
	 * Whether it may be remembered which hooks are for a target: models and servers
	 * invent names, also long ones.
	 * @param target the target
	 * @return whether it takes little memory
	 */
	protected boolean isShort(Object target) {
		return isShort(target.toString());
	}

	/**
	 * Whether a name takes little memory.
	 * @param name the name
	 * @return whether it may be remembered
	 */
	protected static boolean isShort(String name) {
		return name.length() <= MAX_NAME_LENGTH;
	}

	/**
	 * A call as others get to see it.
	 * @param call the call
	 * @param mask masks its arguments
	 * @return the call with masked arguments, the same object if nothing is masked, or
	 * {@code null} if they cannot be masked; unchanged unless overridden, as calls of
	 * most kinds have no arguments
	 */
	protected @Nullable C masked(C call, ArgumentsMask mask) {
		return call;
	}

	/**
	 * A call of which others get to see no arguments.
	 * @param call the call
	 * @return the call without them, unchanged unless overridden
	 */
	protected C withoutArguments(C call) {
		return call;
	}

	/**
	 * Ask a hook about a call that nobody makes, if it wants to know that.
	 * @param hook the hook
	 * @param call the call as the hook gets to see it
	 * @return its decision, or {@code null} to ask it as about any other call
	 */
	protected @Nullable D rehearse(Hook hook, C call) {
		return null;
	}

	/**
	 * What a decision about a masked call means for the call itself.
	 * @param call the call
	 * @param view the same as it was seen
	 * @param decision the decision, which modifies
	 * @return the decision about the call; a denial if it changes what is masked
	 */
	protected D unmasked(C call, C view, D decision) {
		return decision;
	}

	/**
	 * A decision as others get to see it.
	 * @param decision the decision
	 * @param view the call that it leads to, as it may be seen
	 * @return the decision, unchanged unless overridden
	 */
	protected D masked(D decision, C view) {
		return decision;
	}

	/**
	 * An outcome as others get to see it.
	 * @param <O> the kind of outcome
	 * @param outcome the outcome
	 * @param view gives what may be seen of a call
	 * @return the outcome with such calls, unchanged unless overridden
	 */
	protected <O> O masked(O outcome, UnaryOperator<C> view) {
		return outcome;
	}

	/**
	 * A call as a decision changes it.
	 * @param call the call
	 * @param modification the decision, which modifies
	 * @param hook the name of the hook
	 * @return the changed call
	 */
	protected C change(C call, D modification, String hook) {
		throw new IllegalStateException("No hook changes a " + this.noun);
	}

	/**
	 * The question of a hook. That it is kept already is for the approver to say.
	 * @param question a decision that asks
	 * @return the same without that, unchanged unless overridden
	 */
	protected D asked(D question) {
		return question;
	}

	/**
	 * Two questions to a person as one.
	 * @param question the first decision, which asks
	 * @param another another one that asks
	 * @return a decision that asks both
	 */
	protected D join(D question, D another) {
		throw new IllegalStateException("No person is asked about a " + this.noun);
	}

	/**
	 * What a decision answers.
	 * @param answer the decision, which responds
	 * @return what the caller gets in place of a result
	 */
	protected R answer(D answer) {
		throw new IllegalStateException("No hook answers a " + this.noun);
	}

	/**
	 * What the caller of a denied call gets.
	 * @param hook the name of the hook
	 * @param reason why
	 * @return what stands for a result
	 */
	protected R denied(String hook, String reason) {
		throw new IllegalStateException("A denied " + this.noun + " has no result");
	}

	/**
	 * What the caller gets in place of a result that a hook withholds.
	 * @param before the result
	 * @param hook the name of the hook
	 * @param reason why
	 * @return what stands for the result
	 */
	protected R withheld(R before, String hook, String reason) {
		throw new IllegalStateException("No hook withholds the result of a " + this.noun);
	}

	/**
	 * A refusal with another reason for the model. What the hook said itself goes into
	 * the {@linkplain io.agenthooks.HookRule#replacing rule}.
	 * @param refusal the decision of the hook, which denies or aborts
	 * @param reason what the model reads
	 * @return the new decision
	 */
	protected abstract D explained(D refusal, String reason);

	/**
	 * The exception that ends a refused call.
	 * @param call the call
	 * @param hook the name of the hook
	 * @param refusal the decision, which denies or aborts, or is a question that waits
	 * @return the exception, or {@code null} if the caller gets what stands for a result
	 */
	protected abstract @Nullable RuntimeException exception(C call, String hook, D refusal);

	/**
	 * The call with what else the model should know.
	 * @param call the call
	 * @param additionalContext what that is
	 * @return the call, unchanged unless overridden
	 */
	protected C inform(C call, String additionalContext) {
		return call;
	}

	/**
	 * The result with what else the model should know.
	 * @param result the result
	 * @param additionalContext what that is
	 * @return the result, unchanged unless overridden
	 */
	protected R complete(R result, String additionalContext) {
		return result;
	}

	/**
	 * Tell of the end of a call, by {@link Passage#tellEnd}.
	 * @param passage the way of the call
	 * @param ending how it ended
	 * @param original what it resulted in before hooks replaced it, or {@code null}
	 * @param result what the caller got, or {@code null} if an exception
	 * @param failure the exception that the caller got, or {@code null}
	 */
	protected abstract void end(Passage<C, R, D, E> passage, Ending ending, @Nullable R original, @Nullable R result,
			@Nullable Throwable failure);

	/**
	 * The event of a changed call.
	 * @param before the call as it was
	 * @param call the call as it is now
	 * @param hook the name of the hook
	 * @return the event, or {@code null} if there is none
	 */
	protected @Nullable E modified(C before, C call, String hook) {
		return null;
	}

	/**
	 * The event of a refused call, beside its end.
	 * @param call the call
	 * @param hook the name of the hook
	 * @param refusal the decision, which denies or aborts
	 * @return the event, or {@code null} if there is none
	 */
	protected @Nullable E refused(C call, String hook, D refusal) {
		return null;
	}

	/**
	 * The event of a person who is asked.
	 * @param call the call
	 * @param hook the name of the hook that asks
	 * @param question its decision
	 * @return the event, or {@code null} if there is none
	 */
	protected @Nullable E personAsked(C call, String hook, D question) {
		return null;
	}

	/**
	 * The event of a person who answered, or failed to.
	 * @param call the call
	 * @param hook the name of the hook that asked
	 * @param question its decision
	 * @param answer what holds now
	 * @return the event, or {@code null} if there is none
	 */
	protected @Nullable E personAnswered(C call, String hook, D question, D answer) {
		return null;
	}

	/**
	 * The event of a result that a hook replaced or withheld.
	 * @param call the call
	 * @param before the result as it was
	 * @param result the result as it is now
	 * @param hook the name of the hook
	 * @return the event, or {@code null} if there is none
	 */
	protected @Nullable E replaced(C call, R before, R result, String hook) {
		return null;
	}

	/**
	 * The decisions that a chain makes itself.
	 *
	 * @param <D> the decisions
	 * @param approval that of a hook that has no objection, always the same
	 * @param deny a denial for a reason
	 * @param abortRun an abort of the run for a reason
	 * @param failedOpen an approval because a hook failed, with what failed
	 * @param observed an approval because a hook only observes, with its verdict
	 * @since 0.1.0
	 */
	public record Decisions<D>(D approval, Function<String, D> deny, Function<String, D> abortRun,
			Function<String, D> failedOpen, Function<Verdict, D> observed) {
	}

	/**
	 * The events that every kind has.
	 *
	 * @param <C> the calls
	 * @param <E> the events
	 * @param started of a call about which no hook was asked yet
	 * @param hookFailed of a hook that threw or decided nothing
	 * @param failedOpen of a hook that failed while the call passes
	 * @since 0.1.0
	 */
	public record Events<C, E>(Function<C, E> started, OfHook<C, E> hookFailed, OfHook<C, E> failedOpen) {

		/**
		 * Makes the event of a hook that failed.
		 *
		 * @param <C> the calls
		 * @param <E> the events
		 * @since 0.1.0
		 */
		@FunctionalInterface
		public interface OfHook<C, E> {

			/**
			 * Make the event.
			 * @param call the call
			 * @param hook the name of the hook
			 * @param failure what failed, without secrets
			 * @return the event
			 */
			E of(C call, String hook, String failure);

		}

	}

}
