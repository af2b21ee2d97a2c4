package io.agenthooks.spring.process;

/**
 * The signs of life that a child gives: when it answered last, when it broke off last,
 * and how many questions in a row were followed by silence.
 */
final class LifeSigns {

	/**
	 * So many questions in a row, each asked after the one before got no answer in time,
	 * show that the child has stopped.
	 */
	private static final int MAX_SILENT_CALLS = 4;

	private final long start = System.nanoTime();

	private int silentCalls;

	/** When silence was last counted. */
	private long silentSince = this.start;

	private volatile long answeredAt = this.start;

	/** When the child wrote something last that was to be a message and is none. */
	private volatile long brokeOffAt = this.start;

	/**
	 * Note that the child wrote a line, whatever it is.
	 */
	synchronized void wrote() {
		this.silentCalls = 0;
		this.silentSince = System.nanoTime();
	}

	/**
	 * Note that the child answered a question.
	 */
	void answered() {
		this.answeredAt = System.nanoTime();
	}

	/**
	 * Note that the child wrote something that was to be a message and is none.
	 */
	void brokeOff() {
		this.brokeOffAt = System.nanoTime();
	}

	/**
	 * Count a question without an answer. As long as the child may take its time for an
	 * older one, which may wait for a person, it may be silent about the others.
	 * @param oldest whether no older question waits
	 * @param asked when it was asked
	 * @return whether the child has been silent for several, one after the other
	 */
	synchronized boolean hasStopped(boolean oldest, long asked) {
		if (oldest && asked - this.silentSince >= 0) {
			this.silentCalls++;
			this.silentSince = System.nanoTime();
		}
		return this.silentCalls >= MAX_SILENT_CALLS;
	}

	/**
	 * Whether the child answered others while it owed this reply: it is alive, and has
	 * more to do than there is time for. How much that is is up to the agent.
	 */
	boolean hasAnsweredSince(long asked) {
		return this.answeredAt - asked > 0;
	}

	/**
	 * Whether the child wrote something while it owed a reply that may be the reply.
	 */
	boolean hasBrokenOffSince(long asked) {
		return this.brokeOffAt - asked > 0;
	}

}
