package io.agenthooks.spring.audit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ended.AskedHook;
import io.agenthooks.spring.ended.EndedCall;

/**
 * What is to be recorded of a call, as its thread leaves it. It keeps what the record
 * needs and no results, which may be large.
 */
sealed interface AuditEntry permits ToolEntry, LlmEntry, RunEntry {

	String TOOL_CALL = "tool_call";

	String LLM_CALL = "llm_call";

	String RUN = "run";

	String kind();

	String id();

	/**
	 * When the call ended, in milliseconds since 1970.
	 */
	long time();

	/**
	 * How much memory it takes at least, in characters.
	 */
	long weight();

	CallContext context();

	EndedCall ended();

	/**
	 * The hooks that were asked, or {@code null} if that is not known.
	 */
	@Nullable List<AskedHook> asked();

}
