package io.agenthooks.spring.external;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.HookHealth.State;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecentOutcomes}.
 */
class RecentOutcomesTests {

	/** Near the end, where it flows over. */
	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000);

	private final RecentOutcomes outcomes = new RecentOutcomes(this.now::get);

	@Test
	void whatWasNeverAskedIsUnknown() {
		assertThat(this.outcomes.report(false)).isEqualTo(new HookHealth.Report(State.UNKNOWN, false, Map.of()));
	}

	@Test
	void lastAttemptSaysWhetherItIsUp() {
		this.outcomes.failed("No");
		assertThat(report().state()).isEqualTo(State.DOWN);
		this.outcomes.answered();
		assertThat(report().state()).isEqualTo(State.UP);
		assertThat(report().details()).doesNotContainKey("last_failure");
		this.outcomes.failed("Not again");
		assertThat(report().state()).isEqualTo(State.DOWN);
		assertThat(report().details()).containsEntry("last_failure", "Not again");
	}

	@Test
	void whatWasNotAskedLatelyIsNotDownForEver() {
		this.outcomes.failed("No");
		this.now.addAndGet(RecentOutcomes.LATELY.toNanos());
		assertThat(report().state()).isEqualTo(State.DOWN);
		assertThat(report().details()).containsEntry("asked_seconds_ago", RecentOutcomes.LATELY.toSeconds());
		this.now.incrementAndGet();
		assertThat(report().state()).isEqualTo(State.UNKNOWN);
		this.outcomes.answered();
		this.now.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(report().state()).isEqualTo(State.UNKNOWN);
	}

	@Test
	void oneAnswerWithoutVerdictIsNotDownButSeveralInARowAre() {
		for (int i = 1; i < RecentOutcomes.REFUSALS; i++) {
			this.outcomes.refused("status 413");
			assertThat(report().state()).isEqualTo(State.UP);
			assertThat(report().details()).containsEntry("last_failure", "status 413");
		}
		this.outcomes.refused("status 413");
		assertThat(report().state()).isEqualTo(State.DOWN);
		this.outcomes.answered();
		this.outcomes.refused("status 413");
		assertThat(report().state()).isEqualTo(State.UP);
	}

	@Test
	void whatMostCallsCannotAskIsDownWhateverTheOthersGot() {
		this.outcomes.answered();
		for (int i = 1; i <= RecentOutcomes.CALLS / 2; i++) {
			this.outcomes.busy();
			assertThat(report().state()).isEqualTo(State.UP);
			assertThat(report().details()).containsEntry("busy_of_last_20_calls", i);
		}
		this.outcomes.busy();
		assertThat(report().state()).isEqualTo(State.DOWN);
		this.outcomes.answered();
		assertThat(report().state()).isEqualTo(State.DOWN);
		for (int i = 0; i < 9; i++) {
			this.outcomes.admitted();
			assertThat(report().state()).isEqualTo(State.DOWN);
		}
		this.outcomes.admitted();
		assertThat(report().state()).isEqualTo(State.UP);
		for (int i = 0; i < RecentOutcomes.CALLS; i++) {
			this.outcomes.admitted();
		}
		assertThat(report().details()).doesNotContainKey("busy_of_last_20_calls");
	}

	@Test
	void whatNobodyFoundBusyLatelyIsAsItWasWhenItWasAskedLast() {
		IntStream.range(0, 100).forEach((i) -> this.outcomes.busy());
		assertThat(report().state()).isEqualTo(State.DOWN);
		this.now.addAndGet(RecentOutcomes.BUSY.toNanos());
		assertThat(report().state()).isEqualTo(State.DOWN);
		this.now.incrementAndGet();
		assertThat(report()).isEqualTo(new HookHealth.Report(State.UNKNOWN, false, Map.of()));
		this.outcomes.failed("No");
		assertThat(report().state()).isEqualTo(State.DOWN);
	}

	private HookHealth.Report report() {
		return this.outcomes.report(false);
	}

}
