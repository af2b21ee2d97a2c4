package io.agenthooks.spring.assembly;

/**
 * What limits the time of a hook by leaving it alone on a thread of its own when the time
 * is over.
 *
 * @since 0.1.0
 */
public interface AbandonedThreads {

	/**
	 * How many threads still run the hook although no call waits for it any more.
	 * @return the number
	 */
	int abandonedThreads();

}
