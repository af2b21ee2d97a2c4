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

	/** Late questions excuse a decider no longer than this, however many there are. */
	private static final Duration MAX_BACKLOG = Duration.ofMinutes(5);

	/** Its lock is for all that is here. */
	private final Decider decider;

	/** Whether a question without others failed, and none was answered since. */
	private boolean out;

	public QuestionsInFlight() {
		this(new Decider());
	}

	private QuestionsInFlight(Decider decider) {
		this.decider = decider;
	}

	/**
	 * Create other questions to the same decider. They keep it as busy, but that one of
	 * these fails says nothing about the others: an agent may know what breaks it.
	 * @return the questions
	 */
	public QuestionsInFlight ofSameDecider() {
		return new QuestionsInFlight(this.decider);
	}

	/**
	 * Begin a question.
	 * @param timeout how long the decider may take for it
	 * @return the question, which must be closed
	 */
	public Question begin(Duration timeout) {
		synchronized (this.decider) {
			this.decider.open++;
			this.decider.begun++;
			return new Question(timeout, this.decider.begun, this.decider.open == 1);
		}
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

	private static final class Decider {

		private int open;

		private long begun;

		/** The time when it has surely done with what was late. */
		private long busyUntil = System.nanoTime();

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
			synchronized (QuestionsInFlight.this.decider) {
				Decider decider = QuestionsInFlight.this.decider;
				if (this.first && decider.begun == this.number) {
					return this.start - decider.busyUntil < 0;
				}
				long now = System.nanoTime();
				long backlog = Math.max(0, decider.busyUntil - now) + this.timeout.toNanos();
				decider.busyUntil = now + Math.min(backlog, MAX_BACKLOG.toNanos());
				return true;
			}
		}

		/**
		 * Note that this question failed, other than by being late.
		 * @return whether that may come from how many questions there are. It does not if
		 * one without others failed, too, and none was answered since.
		 */
		public boolean isFailedBesideOthers() {
			synchronized (QuestionsInFlight.this.decider) {
				Decider decider = QuestionsInFlight.this.decider;
				boolean isAlone = this.first && decider.begun == this.number;
				long now = System.nanoTime();
				if (isAlone && this.start - decider.busyUntil >= 0) {
					QuestionsInFlight.this.out = true;
				}
				else if (!isAlone && !QuestionsInFlight.this.out) {
					long backlog = Math.max(decider.busyUntil - now, this.timeout.toNanos());
					decider.busyUntil = now + Math.min(backlog, MAX_BACKLOG.toNanos());
				}
				return !QuestionsInFlight.this.out;
			}
		}

		public void answered() {
			synchronized (QuestionsInFlight.this.decider) {
				QuestionsInFlight.this.out = false;
			}
		}

		@Override
		public void close() {
			synchronized (QuestionsInFlight.this.decider) {
				QuestionsInFlight.this.decider.open--;
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
