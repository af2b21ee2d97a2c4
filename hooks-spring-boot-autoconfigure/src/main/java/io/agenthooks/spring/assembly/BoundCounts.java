package io.agenthooks.spring.assembly;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import io.agenthooks.spring.HookCounts;

/** Counts how often what runs beside calls under one name took too long. */
final class BoundCounts implements HookCounts {

	private final LongAdder timedOut = new LongAdder();

	private final LongAdder skipped = new LongAdder();

	private final AtomicInteger hanging = new AtomicInteger();

	void timedOut() {
		this.timedOut.increment();
	}

	void skipped() {
		this.skipped.increment();
	}

	void hangs() {
		this.hanging.incrementAndGet();
	}

	void released() {
		this.hanging.decrementAndGet();
	}

	/**
	 * Count a thread that still runs, unless it ends at the same moment: of the waiting
	 * and the deciding thread, the second sees that the first has {@code left}.
	 */
	void abandon(AtomicBoolean left) {
		hangs();
		leave(left);
	}

	/** End the work of a thread, which counts no longer if it was abandoned. */
	void leave(AtomicBoolean left) {
		if (!left.compareAndSet(false, true)) {
			released();
		}
	}

	@Override
	public int abandonedThreads() {
		return this.hanging.get();
	}

	@Override
	public long timeouts() {
		return this.timedOut.sum();
	}

	@Override
	public long skippedCalls() {
		return this.skipped.sum();
	}

}
