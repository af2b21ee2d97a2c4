package io.agenthooks.spring.approval;

import java.util.List;

/**
 * Opens the store that needs a library which not every application has.
 */
interface JdbcApprovals {

	/**
	 * Whether there is a single database to keep questions in.
	 */
	boolean isAvailable();

	/**
	 * The names of all databases.
	 */
	List<String> names();

	/**
	 * Whether the single database is in the memory of this application.
	 */
	boolean isOwn();

	/**
	 * Make the tables if need be, and open them.
	 * @param owner the application whose questions they are
	 * @param initializeSchema when to make them: {@code ALWAYS}, {@code EMBEDDED} or
	 * {@code NEVER}
	 * @throws InvalidApprovalStoreException if there is no such database, or the tables
	 * cannot be used, or are those of another application
	 */
	ApprovalStore open(StoreOwner owner, String initializeSchema);

}
