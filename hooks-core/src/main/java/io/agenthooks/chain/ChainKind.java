package io.agenthooks.chain;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.HookDecision;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * The particulars of the chains of one kind: their calls, results, decisions and events.
 * What happens to a call is the same for all kinds, and stands in {@link Passage}. Only
 * some kinds have {@link Masking} and {@link People}.
 *
 * @param <C> the calls
 * @param <R> what a call results in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public abstract class ChainKind<C extends HookedCall, R, D extends HookDecision, E> {

	final Logger logger;

	private final String noun;

	private final D approval;

	private final Decisions<D> decisions;

	private final @Nullable Masking<C, D> masking;

	private final @Nullable People<C, D, E> people;

	/**
	 * Create a kind.
	 * @param noun what a call is called in the log
	 * @param decisions the decisions that a chain makes itself
	 * @param masking what others get to see of calls, or {@code null} for all of them
	 * @param people how people are asked about calls, or {@code null} if nobody is
	 * @param chain the class of the chains, whose logger they use
	 */
	protected ChainKind(String noun, Decisions<D> decisions, @Nullable Masking<C, D> masking,
			@Nullable People<C, D, E> people, Class<?> chain) {
		this.noun = noun;
		this.approval = decisions.approval();
		this.decisions = decisions;
		this.masking = masking;
		this.people = people;
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

	final D explained(D refusal, String reason) {
		return this.decisions.explained().apply(refusal, reason);
	}

	final @Nullable Masking<C, D> masking() {
		return this.masking;
	}

	final People<C, D, E> people() {
		if (this.people == null) {
			throw new IllegalStateException("No person is asked about a " + this.noun);
		}
		return this.people;
	}

	final String noun() {
		return this.noun;
	}

	protected String describe(C call) {
		return this.noun + " '" + SafeText.name(call.id()) + "'";
	}

	/**
	 * By what the hooks for a call are chosen, beside its context; {@code null} if it is
	 * unknown: then the call is for every hook.
	 */
	protected @Nullable Object target(C call) {
		return null;
	}

	@SuppressWarnings("unchecked") // notes of another kind of call have another class
	final boolean isSameTarget(HookedCall one, HookedCall other) {
		return one.getClass() == other.getClass() && Objects.equals(target((C) one), target((C) other));
	}

	protected boolean isFor(Predicate<String> targets, Object target) {
		return targets.test(target.toString());
	}

	/**
	 * Whether it may be remembered which hooks are for a target: models and servers
	 * invent names, also long ones.
	 */
	protected boolean isShort(Object target) {
		return isShort(target.toString());
	}

	protected static boolean isShort(String name) {
		return name.length() <= HookSet.MAX_NAME_LENGTH;
	}

	protected C change(C call, D modification, String hook) {
		throw new IllegalStateException("No hook changes a " + this.noun);
	}

	protected R answer(D answer) {
		throw new IllegalStateException("No hook answers a " + this.noun);
	}

	protected R denied(String hook, String reason) {
		throw new IllegalStateException("A denied " + this.noun + " has no result");
	}

	protected R withheld(R before, String hook, String reason) {
		throw new IllegalStateException("No hook withholds the result of a " + this.noun);
	}

	/**
	 * The exception that ends a refused call, or {@code null} if the caller gets what
	 * stands for a result.
	 */
	protected abstract @Nullable RuntimeException exception(C call, String hook, D refusal);

	protected C inform(C call, String additionalContext) {
		return call;
	}

	protected R complete(R result, String additionalContext) {
		return result;
	}

	protected abstract E started(C call);

	protected abstract E hookFailed(C call, String hook, String failure);

	protected abstract E failedOpen(C call, String hook, String failure);

	/** The event of a changed call, or {@code null} if this kind has none. */
	protected @Nullable E modified(C before, C call, String hook) {
		return null;
	}

	/** The event of a refused call, beside its end; {@code null} if there is none. */
	protected @Nullable E refused(C call, String hook, D refusal) {
		return null;
	}

	/** The event of a replaced or withheld result, or {@code null}. */
	protected @Nullable E replaced(C call, R before, R result, String hook) {
		return null;
	}

	/**
	 * Tell of the end of a call, by {@link Passage#tellEnd}. The original is what it
	 * resulted in before hooks replaced it; the result is {@code null} if the caller got
	 * an exception.
	 */
	protected abstract void end(Passage<C, R, D, E> passage, Ending ending, @Nullable R original, @Nullable R result,
			@Nullable Throwable failure);

	/**
	 * The decisions that a chain makes itself.
	 *
	 * @param <D> the decisions
	 * @param approval that of a hook that has no objection, always the same
	 * @param deny a denial for a reason
	 * @param abortRun an abort of the run for a reason
	 * @param failedOpen an approval because a hook failed, with what failed
	 * @param observed an approval because a hook only observes, with its verdict
	 * @param explained a refusal with another reason for the model. What the hook said
	 * itself goes into the {@linkplain io.agenthooks.HookRule#replacing rule}.
	 * @since 0.1.0
	 */
	public record Decisions<D>(D approval, Function<String, D> deny, Function<String, D> abortRun,
			Function<String, D> failedOpen, Function<Verdict, D> observed, BiFunction<D, String, D> explained) {
	}

}
