package io.agenthooks.spring.audit;

import java.util.List;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallContext;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;

/**
 * A call that ended. It keeps what the record needs and no results, which may be large.
 */
sealed interface CallEntry extends AuditEntry permits ToolEntry, LlmEntry, RunEntry {

	String id();

	CallContext context();

	EndedCall ended();

	/** Whether the call did not begin, because the application ends. */
	default boolean isTooLate() {
		return BuiltInDecider.SHUTDOWN.value().equals(ended().decidedBy());
	}

	/** Whether the call did not begin, because calls of its kind are switched off. */
	default boolean isSwitchedOff() {
		return BuiltInDecider.KILL_SWITCH.value().equals(ended().decidedBy());
	}

	List<AskedHook> asked();

}
