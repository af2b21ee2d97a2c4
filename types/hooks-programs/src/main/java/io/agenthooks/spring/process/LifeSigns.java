package io.agenthooks.spring.process;

/** When a child answered and broke off last, and how many questions met silence. */
final class LifeSigns {

	/**
	 * So many in a row, each asked after the one before got no answer in time, show that
	 * the child has stopped.
	 */
	private static final int MAX_SILENT_CALLS = 4;

	private final long start = System.nanoTime();

	private int silentCalls;

	private long silentSince = this.start;

	private volatile long answeredAt = this.start;

	private volatile long brokeOffAt = this.start;

	synchronized void wrote() {
		this.silentCalls = 0;
		this.silentSince = System.nanoTime();
	}

	void answered() {
		this.answeredAt = System.nanoTime();
	}

	/** The child wrote what was to be a message and is none. */
	void brokeOff() {
		this.brokeOffAt = System.nanoTime();
	}

	/**
	 * Count a question without an answer. As long as the child may take its time for an
	 * older one, which may wait for a person, it may be silent about the others.
	 */
	synchronized boolean hasStopped(boolean oldest, long asked) {
		if (oldest && asked - this.silentSince >= 0) {
			this.silentCalls++;
			this.silentSince = System.nanoTime();
		}
		return this.silentCalls >= MAX_SILENT_CALLS;
	}

	/**
	 * It is alive, and has more to do than there is time for. How much that is is up to
	 * the agent.
	 */
	boolean hasAnsweredSince(long asked) {
		return this.answeredAt - asked > 0;
	}

	/** It may be the reply. */
	boolean hasBrokenOffSince(long asked) {
		return this.brokeOffAt - asked > 0;
	}

}
