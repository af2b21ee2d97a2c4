package io.agenthooks.spring.approval;

/** The way to go on with a turn whose calls waited. */
enum ApprovalResume {

	/** The application does it. */
	MANUAL,

	/** A {@code ConversationContinuation} bean does it. */
	AUTO

}
