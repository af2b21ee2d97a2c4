package io.agenthooks.spring.audit;

/** Something to be recorded, as the thread leaves it that did it. */
sealed interface AuditEntry permits CallEntry, DecisionEntry, ModeEntry, SwitchEntry {

	String TOOL_CALL = "tool_call";

	String LLM_CALL = "llm_call";

	String RUN = "run";

	String SWITCH = "switch";

	String APPROVAL = "approval";

	String HOOK_MODE = "hook_mode";

	String kind();

	/** The time when it happened, in milliseconds since 1970. */
	long time();

	/** The least memory that it takes, in characters. */
	long weight();

	/** With {@code strict} it was let begin because there was room for it. */
	default boolean hasBegun() {
		return true;
	}

}
