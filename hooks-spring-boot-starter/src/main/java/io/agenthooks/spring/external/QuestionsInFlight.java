package io.agenthooks.spring.external;

import java.time.Duration;

/**
 * The questions that a decider has to answer at the same time. How many there are is up
 * to the agent, so one that is late beside others, or while the decider may still be busy
 * with late ones, says nothing about the decider: {@code fail_open} does not cover it.
 *
 * @since 0.1.0
 */
public final class QuestionsInFlight {

	/** How long late questions may excuse a decider, however many there are. */
	private static final Duration MAX_BACKLOG = Duration.ofMinutes(5);

	private int open;

	private long begun;

	/** Whether a question without others failed, and none was answered since. */
	private boolean out;

	/** When the decider has surely done with what was late. */
	private long busyUntil = System.nanoTime();

	/**
	 * Begin a question.
	 * @param timeout how long the decider may take for it
	 * @return the question, which must be closed
	 */
	public synchronized Question begin(Duration timeout) {
		this.open++;
		this.begun++;
		return new Question(timeout, this.begun, this.open == 1);
	}

	/**
	 * Ask a question.
	 * @param <T> the answers
	 * @param timeout how long the decider may take for it
	 * @param asking asks it
	 * @return the answer
	 * @throws NoVerdictException if there is none; if it is late beside others, without
	 * passing
	 */
	public <T> T ask(Duration timeout, Asking<T> asking) throws NoVerdictException {
		try (Question question = begin(timeout)) {
			try {
				return asking.ask();
			}
			catch (NoVerdictException ex) {
				throw (ex.isTimeout() && question.isLateBesideOthers())
						? NoVerdictException.timeout(ex.getMessage() + ", but had others to answer", false) : ex;
			}
		}
	}

	/**
	 * A question that waits for its answer.
	 *
	 * @since 0.1.0
	 */
	public final class Question implements AutoCloseable {

		private final Duration timeout;

		private final long number;

		private final boolean first;

		private final long start = System.nanoTime();

		private Question(Duration timeout, long number, boolean first) {
			this.timeout = timeout;
			this.number = number;
			this.first = first;
		}

		/**
		 * Note that this question got no answer in time.
		 * @return whether the decider had others to answer
		 */
		public boolean isLateBesideOthers() {
			synchronized (QuestionsInFlight.this) {
				if (this.first && QuestionsInFlight.this.begun == this.number) {
					return this.start - QuestionsInFlight.this.busyUntil < 0;
				}
				long now = System.nanoTime();
				long backlog = Math.max(0, QuestionsInFlight.this.busyUntil - now) + this.timeout.toNanos();
				QuestionsInFlight.this.busyUntil = now + Math.min(backlog, MAX_BACKLOG.toNanos());
				return true;
			}
		}

		/**
		 * Note that this question failed, other than by being late.
		 * @return whether that may come from how many questions there are. It does not if
		 * one without others failed, too, and none was answered since.
		 */
		public boolean isFailedBesideOthers() {
			synchronized (QuestionsInFlight.this) {
				boolean isAlone = this.first && QuestionsInFlight.this.begun == this.number;
				long now = System.nanoTime();
				if (isAlone && this.start - QuestionsInFlight.this.busyUntil >= 0) {
					QuestionsInFlight.this.out = true;
				}
				else if (!isAlone && !QuestionsInFlight.this.out) {
					long backlog = Math.max(QuestionsInFlight.this.busyUntil - now, this.timeout.toNanos());
					QuestionsInFlight.this.busyUntil = now + Math.min(backlog, MAX_BACKLOG.toNanos());
				}
				return !QuestionsInFlight.this.out;
			}
		}

		/**
		 * Note that this question was answered.
		 */
		public void answered() {
			synchronized (QuestionsInFlight.this) {
				QuestionsInFlight.this.out = false;
			}
		}

		@Override
		public void close() {
			synchronized (QuestionsInFlight.this) {
				QuestionsInFlight.this.open--;
			}
		}

	}

	/**
	 * Asks a question.
	 *
	 * @param <T> the answers
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Asking<T> {

		/**
		 * Ask it.
		 * @return the answer
		 * @throws NoVerdictException if there is none
		 */
		T ask() throws NoVerdictException;

	}

}
