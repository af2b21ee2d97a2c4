package io.agenthooks.spring.audit;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The entries that wait to be recorded, bounded in number and size. Callers never wait;
 * what does not fit is counted. Between the capacity and the hard limit is room for what
 * had begun when the queue got full, and for nothing else. Once it is closed, nothing
 * comes that the thread would not find.
 */
final class AuditQueue {

	/** The most characters of arguments that may wait, beside the number of records. */
	private static final long MAX_WEIGHT = 64L * 1024 * 1024;

	private final BlockingQueue<AuditEntry> queue;

	/** Also those that the thread has taken, until they are recorded. */
	private int waiting;

	private long weight;

	private boolean closed;

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

	synchronized boolean offer(AuditEntry entry) {
		long weight = this.weight + entry.weight();
		// There was room when it began, so there is no more of it than ran at once.
		boolean isAwaited = this.hardLimit > this.capacity && entry.hasBegun();
		boolean isFull = (isAwaited) ? this.waiting >= this.hardLimit
				: this.waiting >= this.capacity || (weight > MAX_WEIGHT && this.waiting > 0);
		if (this.closed || isFull) {
			return false;
		}
		this.waiting++;
		this.weight = weight;
		// Those that wait are no more than those that are counted.
		return this.queue.add(entry);
	}

	/** {@code true} if the queue was open until now. */
	synchronized boolean close() {
		boolean before = this.closed;
		this.closed = true;
		return !before;
	}

	synchronized boolean isClosed() {
		return this.closed;
	}

	void drop() {
		this.firstDrop.compareAndSet(0, this.clock.millis());
		this.dropped.incrementAndGet();
	}

	/**
	 * If nothing is there, wait for it. What is taken is to be {@linkplain #recorded
	 * recorded}.
	 */
	void take(List<AuditEntry> taken, int max, Duration wait) throws InterruptedException {
		AuditEntry first = (max > 0) ? this.queue.poll(wait.toNanos(), TimeUnit.NANOSECONDS) : null;
		if (first != null) {
			taken.add(first);
			this.queue.drainTo(taken, max - 1);
		}
	}

	synchronized void recorded(List<AuditEntry> entries) {
		this.waiting -= entries.size();
		this.weight -= entries.stream().mapToLong(AuditEntry::weight).sum();
	}

	/** Whether what is left now is sure to find room. */
	synchronized boolean hasRoom() {
		return !this.closed && this.waiting < this.capacity && this.weight < MAX_WEIGHT / 2;
	}

	synchronized int size() {
		return this.waiting;
	}

	long dropped() {
		return this.dropped.get();
	}

	/** The time of the first drop since the last question, in milliseconds, or 0. */
	long takeFirstDrop() {
		return this.firstDrop.getAndSet(0);
	}

}
