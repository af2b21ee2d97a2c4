package io.agenthooks.spring.approval;

/**
 * Opens the store that needs a library which not every application has.
 */
interface JdbcApprovals {

	/**
	 * Whether there is a single database to keep questions in.
	 */
	boolean isAvailable();

	/**
	 * Make the tables if need be, and open them.
	 * @param initializeSchema when to make them: {@code ALWAYS}, {@code EMBEDDED} or
	 * {@code NEVER}
	 * @throws InvalidApprovalStoreException if there is no such database, or the tables
	 * cannot be used
	 */
	ApprovalStore open(String initializeSchema);

}
