package io.agenthooks.spring.approval;

import java.util.List;

/** Opens the store that needs a library which not every application has. */
interface JdbcApprovals {

	boolean isAvailable();

	List<String> names();

	/** Whether the single database is in the memory of this application. */
	boolean isOwn();

	ApprovalStore open(StoreOwner owner, String initializeSchema);

}
