package io.agenthooks.test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import io.agenthooks.spring.suspend.ApprovalClock;

/** The clock of the machine, which a test can put forward. */
final class TestClock implements ApprovalClock {

	private final AtomicLong ahead = new AtomicLong();

	void advance(Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException("A clock goes forward only");
		}
		this.ahead.addAndGet(duration.toNanos());
	}

	@Override
	public Instant now() {
		return Instant.now().plusNanos(this.ahead.get());
	}

	@Override
	public long nanoTime() {
		return System.nanoTime() + this.ahead.get();
	}

}
