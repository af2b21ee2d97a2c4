package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The threads of this node that wait for questions. One at a time asks the database for
 * all, so the load does not grow with their number.
 */
final class ApprovalWaits {

	/** The revision of a question that is gone, which is newer than any. */
	private static final int GONE = Integer.MAX_VALUE;

	private final long pollNanos;

	private final Function<Set<String>, Map<String, Integer>> revisions;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<String, Waited> waited = new HashMap<>();

	private boolean polling;

	private long nextPoll = System.nanoTime();

	private boolean closed;

	ApprovalWaits(Duration poll, Function<Set<String>, Map<String, Integer>> revisions) {
		this.pollNanos = poll.toNanos();
		this.revisions = revisions;
	}

	void await(String id, int revision, Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
		this.lock.lockInterruptibly();
		try {
			Waited question = this.waited.computeIfAbsent(id, (added) -> new Waited());
			question.threads++;
			try {
				await(question, revision, deadline);
			}
			finally {
				if (--question.threads == 0) {
					this.waited.remove(id);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void await(Waited question, int revision, long deadline) throws InterruptedException {
		while (true) {
			if (this.closed) {
				throw new IllegalStateException("The application is shutting down, so no call waits for people.");
			}
			long now = System.nanoTime();
			if (question.revision > revision || deadline - now <= 0) {
				return;
			}
			if (!this.polling && this.nextPoll - now <= 0) {
				poll();
			}
			else {
				long untilPoll = (this.polling) ? this.pollNanos : this.nextPoll - now;
				long unused = this.changed.awaitNanos(Math.min(deadline - now, untilPoll));
			}
		}
	}

	/** Does not hold the lock while the database is asked. */
	private void poll() {
		Set<String> ids = Set.copyOf(this.waited.keySet());
		this.polling = true;
		this.lock.unlock();
		Map<String, Integer> found;
		try {
			found = this.revisions.apply(ids);
		}
		finally {
			this.lock.lock();
			this.polling = false;
			this.nextPoll = System.nanoTime() + this.pollNanos;
			// If this failed, the next one who waits is told so as well.
			this.changed.signalAll();
		}
		ids.forEach((id) -> put(id, found.getOrDefault(id, GONE)));
	}

	void changed(String id, int revision) {
		this.lock.lock();
		try {
			put(id, revision);
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void put(String id, int revision) {
		Waited question = this.waited.get(id);
		if (question != null) {
			question.revision = Math.max(question.revision, revision);
		}
	}

	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private static final class Waited {

		private int threads;

		private int revision;

	}

}
