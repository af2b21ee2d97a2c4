package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * Keeps turns in memory, for tests of what is kept.
 */
final class KeptTurns implements SuspendedTurns {

	final List<SuspendedTurn> turns = Collections.synchronizedList(new ArrayList<>());

	final List<String> cancelled = Collections.synchronizedList(new ArrayList<>());

	@Nullable RuntimeException failure;

	@Nullable RuntimeException cancelFailure;

	@Override
	public void keep(SuspendedTurn turn) {
		if (this.failure != null) {
			throw this.failure;
		}
		this.turns.add(turn);
	}

	@Override
	public void cancel(Collection<TurnSuspendedException> calls) {
		calls.forEach((call) -> this.cancelled.add(call.getApprovalId()));
		if (this.cancelFailure != null) {
			throw this.cancelFailure;
		}
	}

	/**
	 * The only turn.
	 */
	SuspendedTurn turn() {
		if (this.turns.size() != 1) {
			throw new AssertionError("Not one turn but " + this.turns.size());
		}
		return this.turns.get(0);
	}

}
