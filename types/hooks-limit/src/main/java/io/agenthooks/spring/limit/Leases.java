package io.agenthooks.spring.limit;

/**
 * Which calls run on all nodes. Each has its place for the time of a lease only, so a
 * node that is killed gives its places back.
 */
interface Leases {

	boolean enter(String key, String id);

	/** Also if it has ended. */
	void renew(String key, String id);

	void leave(String key, String id);

	boolean hasRoom(String key);

}
