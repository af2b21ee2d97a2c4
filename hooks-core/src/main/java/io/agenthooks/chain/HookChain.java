package io.agenthooks.chain;

import java.util.List;

import io.agenthooks.HookDecision;

/**
 * A chain of hooks for calls of one kind.
 *
 * @param <C> the calls
 * @param <R> what they result in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public abstract class HookChain<C extends HookedCall, R, D extends HookDecision, E> {

	protected final Gate<C, R, D, E> gate;

	protected HookChain(Gate<C, R, D, E> gate) {
		this.gate = gate;
	}

	/**
	 * Let others watch the calls that come from now on, in place of those who did.
	 * @param watches they begin in this order, and end in the other
	 */
	public final void setWatches(List<CallWatch> watches) {
		this.gate.setWatches(watches);
	}

	/**
	 * Let no further call begin, since the application ends, or let them begin again.
	 * What has begun goes on.
	 * @param shutDown whether the application ends
	 */
	public final void setShutDown(boolean shutDown) {
		this.gate.setShutDown(shutDown);
	}

	/**
	 * Return the number of calls that have begun of whose ends post-call hooks have not
	 * learned yet.
	 * @return their number, as far as there are such hooks
	 */
	public final long underWay() {
		return this.gate.underWay();
	}

}
