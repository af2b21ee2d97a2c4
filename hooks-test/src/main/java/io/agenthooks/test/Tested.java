package io.agenthooks.test;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;

/**
 * A call that a test made, and its outcome.
 *
 * @param <O> how it ended
 * @param <E> what happened to it
 * @since 0.1.0
 */
public abstract sealed class Tested<O extends HookOutcome, E> permits TestedToolCall, TestedLlmCall, TestedRun {

	private final O outcome;

	private final @Nullable Exception failure;

	private final List<E> events;

	Tested(O outcome, @Nullable Exception failure, List<E> events) {
		this.outcome = outcome;
		this.failure = failure;
		this.events = List.copyOf(events);
	}

	/**
	 * Return the outcome, as post-call or post-run hooks see it.
	 * @return the outcome
	 */
	public O outcome() {
		return this.outcome;
	}

	/**
	 * The exception that reached the caller: that of the tool, model or agent, or of a
	 * hook that aborted.
	 * @return the exception, or {@code null} if there was none
	 */
	public @Nullable Exception failure() {
		return this.failure;
	}

	/**
	 * Everything that happened, in order.
	 * @return the events; none if the hooks are switched off
	 */
	public List<E> events() {
		return this.events;
	}

	/**
	 * The outcome, without secrets.
	 */
	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + this.outcome + "]";
	}

}
