package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallsLeft}, in a time that passes only when a test says so.
 */
class CallsLeftTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final CallsLeft left = new CallsLeft(LimitConfig.Store.MEMORY, this.clock::get);

	@Test
	void isUnknownBeforeTheFirstCall() {
		assertThat(this.left.least()).isNaN();
	}

	@Test
	void isTheLeastOfAllCallsForAtLeastAMinute() {
		this.left.note(7);
		this.left.note(2);
		this.left.note(5);
		assertThat(this.left.least()).isEqualTo(2);
		pass(Duration.ofMinutes(1));
		this.left.note(4);
		assertThat(this.left.least()).isEqualTo(2);
		pass(Duration.ofMinutes(1));
		assertThat(this.left.least()).isEqualTo(4);
	}

	@Test
	void isForgottenAfterTwoMinutesWithoutACall() {
		this.left.note(0);
		pass(Duration.ofMinutes(2).minusNanos(1));
		assertThat(this.left.least()).isZero();
		pass(Duration.ofNanos(1));
		assertThat(this.left.least()).isNaN();
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

}
