package io.agenthooks.chain;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Hook;
import io.agenthooks.HookDecision;

/**
 * A hook that carries its own {@link HookEntry}, which a chain takes in its place.
 * Without a chain it does what a chain would do, so a chain can also ask a proxy of it.
 *
 * @param <H> the kind of hook
 * @param <C> the calls
 * @param <S> what the hook is asked about
 * @param <D> the decisions
 * @since 0.1.0
 */
public abstract class Entered<H extends Hook, C extends HookedCall, S, D extends HookDecision> {

	private final HookEntry<H> entry;

	private final Step<C, S, D> step;

	protected Entered(HookEntry<H> entry, Step<C, S, D> step) {
		this.entry = entry;
		this.step = step;
	}

	/**
	 * The entry of a hook that brings one along. Proxies bring none: a chain has to ask
	 * them, not the hook behind them.
	 */
	static @Nullable HookEntry<?> of(Hook hook) {
		return (hook instanceof Entered<?, ?, ?, ?> entered) ? entered.entry : null;
	}

	protected HookEntry<H> entry() {
		return this.entry;
	}

	public String name() {
		return this.entry.name();
	}

	protected D decide(C call, S subject) {
		return Objects.requireNonNull(this.step.askAlone(call, subject), "The hook decided nothing");
	}

	protected void tell(C call, S outcome) {
		this.step.learner(List.of(), List.of()).tellAlone(call, outcome);
	}

}
