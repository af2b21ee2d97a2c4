package io.agenthooks.spring.assembly;

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

	/** Count a thread that hangs, until it is {@linkplain #released() released}. */
	void hangs() {
		this.hanging.incrementAndGet();
	}

	void released() {
		this.hanging.decrementAndGet();
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
