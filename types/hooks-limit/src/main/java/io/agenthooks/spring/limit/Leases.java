package io.agenthooks.spring.limit;

/**
 * Keeps, for all nodes of the application, which calls run. Each has its place for the
 * time of a lease only, so that a node that is killed gives its places back.
 */
interface Leases {

	boolean enter(String key, String id);

	/** Begin the lease of a call that runs anew, also if it has ended. */
	void renew(String key, String id);

	void leave(String key, String id);

	boolean hasRoom(String key);

}
