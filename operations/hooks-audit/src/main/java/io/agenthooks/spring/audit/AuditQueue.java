package io.agenthooks.spring.audit;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The entries that wait to be recorded, bounded in number and size. Callers leave it and
 * never wait; one thread takes it, and says when it is recorded. What does not fit is
 * counted.
 */
final class AuditQueue {

	/** The most characters of arguments that may wait, beside the number of records. */
	private static final long MAX_WEIGHT = 64L * 1024 * 1024;

	/**
	 * Enough for what thousands of callers could add at once, before all but a few of
	 * them are told that there is no room.
	 */
	private static final int WEIGHT_BITS = 40;

	private static final long ONE = 1L << WEIGHT_BITS;

	private final BlockingQueue<AuditEntry> queue;

	/**
	 * The number of waiting entries, above the lower bits, and their weight, in those.
	 * What the thread has taken waits, too, until it is recorded.
	 */
	private final AtomicLong load = new AtomicLong();

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong firstDrop = new AtomicLong();

	private final int capacity;

	private final int hardLimit;

	private final Clock clock;

	AuditQueue(int capacity, int hardLimit, Clock clock) {
		this.queue = new ArrayBlockingQueue<>(hardLimit);
		this.capacity = capacity;
		this.hardLimit = hardLimit;
		this.clock = clock;
	}

	boolean offer(AuditEntry entry) {
		long load = this.load.addAndGet(loadOf(entry));
		boolean fits = count(load) <= this.hardLimit && (weight(load) <= MAX_WEIGHT || count(load) == 1);
		if (fits && this.queue.offer(entry)) {
			return true;
		}
		recorded(List.of(entry));
		return false;
	}

	void drop() {
		this.firstDrop.compareAndSet(0, this.clock.millis());
		this.dropped.incrementAndGet();
	}

	/**
	 * Take what is there; if nothing is, wait for it. What is taken is to be
	 * {@linkplain #recorded recorded}.
	 */
	void take(List<AuditEntry> taken, int max, Duration wait) throws InterruptedException {
		AuditEntry first = (max > 0) ? this.queue.poll(wait.toNanos(), TimeUnit.NANOSECONDS) : null;
		if (first != null) {
			taken.add(first);
			this.queue.drainTo(taken, max - 1);
		}
	}

	void recorded(List<AuditEntry> entries) {
		long load = 0;
		for (AuditEntry entry : entries) {
			load += loadOf(entry);
		}
		this.load.addAndGet(-load);
	}

	private static long loadOf(AuditEntry entry) {
		return ONE + Math.min(entry.weight(), MAX_WEIGHT + 1);
	}

	private static int count(long load) {
		return (int) (load >>> WEIGHT_BITS);
	}

	private static long weight(long load) {
		return load & (ONE - 1);
	}

	/** Whether nothing is left that the thread has not taken. */
	boolean isEmpty() {
		return this.queue.isEmpty();
	}

	/** Whether what is left now is sure to find room. */
	boolean hasRoom() {
		long load = this.load.get();
		return count(load) < this.capacity && weight(load) < MAX_WEIGHT / 2;
	}

	/** The waiting entries, also those that the thread has taken. */
	int size() {
		return count(this.load.get());
	}

	long dropped() {
		return this.dropped.get();
	}

	/** The time of the first drop since the last question, in milliseconds, or 0. */
	long takeFirstDrop() {
		return this.firstDrop.getAndSet(0);
	}

}
