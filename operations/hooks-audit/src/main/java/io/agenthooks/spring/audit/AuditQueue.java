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
 * counted. Once it is closed, nothing comes that the thread would not find.
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

	/** The bit of the load of a queue that takes nothing more. */
	private static final long CLOSED = Long.MIN_VALUE;

	private final BlockingQueue<AuditEntry> queue;

	/**
	 * The number of waiting entries, above the lower bits, and their weight, in those.
	 * What the thread has taken waits, too, until it is recorded. Whether the queue is
	 * closed stands in the same number, so that an entry is either counted before that or
	 * refused.
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
		long before;
		long load;
		do {
			before = this.load.get();
			load = before + loadOf(entry);
			boolean fits = count(load) <= this.hardLimit && (weight(load) <= MAX_WEIGHT || count(load) == 1);
			if (isClosed(before) || !fits) {
				return false;
			}
		}
		while (!this.load.compareAndSet(before, load));
		// Those that wait are no more than those that are counted.
		this.queue.add(entry);
		return true;
	}

	/**
	 * Take no more entries.
	 * @return whether the queue took some until now
	 */
	boolean close() {
		return !isClosed(this.load.getAndUpdate((load) -> load | CLOSED));
	}

	boolean isClosed() {
		return isClosed(this.load.get());
	}

	private static boolean isClosed(long load) {
		return (load & CLOSED) != 0;
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
		return (int) ((load & ~CLOSED) >>> WEIGHT_BITS);
	}

	private static long weight(long load) {
		return load & (ONE - 1);
	}

	/** Whether what is left now is sure to find room. */
	boolean hasRoom() {
		long load = this.load.get();
		return !isClosed(load) && count(load) < this.capacity && weight(load) < MAX_WEIGHT / 2;
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
