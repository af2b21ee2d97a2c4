package io.agenthooks.spring.approval;

/**
 * Opens the store that needs a library which not every application has.
 */
interface RedisApprovals {

	/**
	 * Open the questions that nodes share.
	 * @param keyPrefix what the keys of all these nodes start with, and of no other
	 * application
	 * @throws InvalidApprovalStoreException if there is no Redis, or it does not answer
	 */
	ApprovalStore open(String keyPrefix);

}
