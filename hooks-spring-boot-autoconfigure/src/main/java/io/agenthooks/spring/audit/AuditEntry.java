package io.agenthooks.spring.audit;

/**
 * What is to be recorded, as the thread leaves it that did it.
 */
sealed interface AuditEntry permits CallEntry, DecisionEntry, SwitchEntry {

	String TOOL_CALL = "tool_call";

	String LLM_CALL = "llm_call";

	String RUN = "run";

	String SWITCH = "switch";

	String APPROVAL = "approval";

	String kind();

	/**
	 * When it happened, in milliseconds since 1970.
	 */
	long time();

	/**
	 * How much memory it takes at least, in characters.
	 */
	long weight();

}
