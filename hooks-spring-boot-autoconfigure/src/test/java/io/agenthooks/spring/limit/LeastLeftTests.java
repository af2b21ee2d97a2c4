package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeastLeft}, in a time that passes only when a test says so.
 */
class LeastLeftTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final LeastLeft least = new LeastLeft(this.clock::get);

	@Test
	void isUnknownBeforeTheFirstCall() {
		assertThat(this.least.value()).isNaN();
	}

	@Test
	void isTheLeastOfAllCallsForAtLeastAMinute() {
		this.least.add(7);
		this.least.add(2);
		this.least.add(5);
		assertThat(this.least.value()).isEqualTo(2);
		pass(Duration.ofMinutes(1));
		this.least.add(4);
		assertThat(this.least.value()).isEqualTo(2);
		pass(Duration.ofMinutes(1));
		assertThat(this.least.value()).isEqualTo(4);
	}

	@Test
	void isForgottenAfterTwoMinutesWithoutACall() {
		this.least.add(0);
		pass(Duration.ofMinutes(2).minusNanos(1));
		assertThat(this.least.value()).isZero();
		pass(Duration.ofNanos(1));
		assertThat(this.least.value()).isNaN();
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

}
