package io.agenthooks.spring;

/**
 * Counters of a hook in addition to its decisions. A negative number says that there is
 * no such count.
 *
 * @since 0.1.0
 */
public interface HookCounts {

	/**
	 * Return the number of notifications that did not fit in the queue of the hook and
	 * were dropped.
	 * @return the number since the hook was made
	 */
	default long droppedNotifications() {
		return -1;
	}

	/**
	 * Return the number of notifications that were sent and did not arrive.
	 * @return the number since the hook was made
	 */
	default long failedNotifications() {
		return -1;
	}

	/**
	 * Return the number of replies of the program behind the hook that were dropped,
	 * because they came late, answered no question or could not be read.
	 * @return the number since the hook was made
	 */
	default long droppedReplies() {
		return -1;
	}

	/**
	 * Return the number of times that the hook did not end within its time.
	 * @return the number since the hook was made
	 */
	default long timeouts() {
		return -1;
	}

	/**
	 * Return the number of calls that passed without the hook, because too many of its
	 * threads hang.
	 * @return the number since the hook was made
	 */
	default long skippedCalls() {
		return -1;
	}

	/**
	 * Return the rest that a limit still lets pass, in calls or in what it counts: the
	 * least that it had left for any of its keys after a call of the last one to two
	 * minutes.
	 * @return the number, or {@code NaN} if there was no such call
	 */
	default double remainingCalls() {
		return -1;
	}

	/**
	 * How many calls a decider outside of the application has let pass, if it never
	 * objected to one: it did not deny, ask, change or answer any.
	 * @return the number since the hook was made; negative once it has objected
	 */
	default long callsWithoutObjection() {
		return -1;
	}

	/**
	 * Return the number of threads that still run the hook although no call waits for it.
	 * @return the number now
	 */
	default int abandonedThreads() {
		return -1;
	}

}
