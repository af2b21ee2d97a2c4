package io.agenthooks.spring.audit;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallContext;
import io.agenthooks.HookOutcome;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;

/** It keeps what the record needs and no results, which may be large. */
sealed interface CallEntry extends AuditEntry permits ToolEntry, LlmEntry, RunEntry {

	/** Calls that end so have not begun, unless they have a result. */
	Set<String> REFUSED = Set.of("DENIED", "DISABLED", "ABORTED");

	static boolean hasBegun(HookOutcome outcome, @Nullable Object result) {
		return result != null || !REFUSED.contains(outcome.status().name());
	}

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
