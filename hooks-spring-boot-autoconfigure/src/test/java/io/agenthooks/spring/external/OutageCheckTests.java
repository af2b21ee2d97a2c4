package io.agenthooks.spring.external;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutageCheckTests {

	private final NoVerdictException unreached = NoVerdictException.unreached("refused");

	private final NoVerdictException error = NoVerdictException.failure("status 500");

	private final NoVerdictException died = NoVerdictException.breakdown("reset");

	private final NoVerdictException late = NoVerdictException.timeout("late", true);

	private long now;

	private final OutageCheck shared = new OutageCheck(true, () -> this.now);

	private final OutageCheck own = new OutageCheck(false, () -> this.now);

	private final AtomicInteger probes = new AtomicInteger();

	private boolean passes(OutageCheck check, NoVerdictException failure, NoVerdictException ofProbe) {
		this.now++;
		return check.check(failure, () -> {
			this.probes.incrementAndGet();
			throw ofProbe;
		}, null).mayPass();
	}

	private boolean passesBesideAnswers(OutageCheck check, NoVerdictException failure) {
		this.now++;
		return check.check(failure, this.probes::incrementAndGet, null).mayPass();
	}

	private void wait(Duration time) {
		this.now += time.toNanos();
	}

	@Test
	void deciderThatFailsAtAProbeIsOut() {
		for (NoVerdictException failure : List.of(this.error, this.died, this.late)) {
			assertThat(passes(new OutageCheck(true, () -> this.now), failure, failure)).isTrue();
			assertThat(passes(new OutageCheck(false, () -> this.now), failure, failure)).isTrue();
		}
	}

	@Test
	void callAtWhichOnlyItselfFailsDoesNotPass() {
		for (NoVerdictException failure : List.of(this.error, this.died, this.late)) {
			for (OutageCheck check : List.of(this.shared, this.own)) {
				assertThat(passesBesideAnswers(check, failure)).isFalse();
				assertThat(passesBesideAnswers(check, failure)).isFalse();
				assertThat(check.check(failure, () -> {
				}, null).getMessage()).startsWith(failure.getMessage()).contains("nothing of the call in it");
			}
		}
	}

	@Test
	void questionThatDidNotComeThroughHasBrokenNothing() {
		assertThat(passes(this.shared, this.unreached, this.unreached)).isTrue();
		this.shared.answered();
		assertThat(passes(this.shared, this.unreached, this.unreached)).isTrue();
		assertThat(this.probes).hasValue(0);
	}

	@Test
	void deciderThatIsOutIsProbedOnceInAWhile() {
		for (int i = 0; i < 5; i++) {
			assertThat(passes(this.shared, this.error, this.error)).isTrue();
		}
		assertThat(this.probes).hasValue(1);
		wait(OutageCheck.OUT);
		assertThat(passesBesideAnswers(this.shared, this.error)).isFalse();
		assertThat(this.probes).hasValue(2);
	}

	@Test
	void answerEndsAnOutage() {
		assertThat(passes(this.shared, this.error, this.error)).isTrue();
		this.shared.answered();
		assertThat(passesBesideAnswers(this.shared, this.error)).isFalse();
	}

	/**
	 * Else each call that breaks it would pass, since it fails at the probe anyway.
	 */
	@Test
	void deciderThatFailsAtAProbeAnywayIsAskedAgainWhatItAnswered() {
		for (OutageCheck check : List.of(this.shared, this.own)) {
			check.answered();
			for (int i = 0; i < 3; i++) {
				assertThat(passes(check, this.error, this.error, this.probes::incrementAndGet)).isFalse();
			}
			assertThat(passes(check, this.error, this.error, () -> {
				throw this.error;
			})).isTrue();
		}
	}

	@Test
	void deciderThatHasAnsweredAProbeIsNotAskedAgainWhatItAnswered() {
		assertThat(passesBesideAnswers(this.own, this.error)).isFalse();
		assertThat(passes(this.own, this.error, this.error, () -> {
			throw new IllegalStateException("asked again");
		})).isTrue();
	}

	@Test
	void repetitionThatDoesNotShowWhyLetsNothingPass() {
		assertThat(passes(this.own, this.error, this.error, () -> {
			throw NoVerdictException.refusal("busy");
		})).isFalse();
	}

	private boolean passes(OutageCheck check, NoVerdictException failure, NoVerdictException ofProbe,
			OutageCheck.Probe again) {
		this.now++;
		return check.check(failure, () -> {
			throw ofProbe;
		}, again).mayPass();
	}

	/**
	 * It may have killed it, or keep it busy, so that the probe fails, too.
	 */
	@Test
	void callThatADeciderDiesOfWhichAnsweredBeforeDoesNotPass() {
		for (NoVerdictException failure : List.of(this.died, this.late)) {
			OutageCheck check = new OutageCheck(true, () -> this.now);
			check.answered();
			assertThat(passes(check, failure, this.unreached)).isFalse();
			assertThat(passes(check, this.unreached, this.unreached)).isFalse();
			assertThat(passes(check, failure, this.unreached)).isFalse();
			wait(OutageCheck.SUSPECT);
			assertThat(passes(check, this.unreached, this.unreached)).isTrue();
			assertThat(passes(check, failure, this.unreached)).isTrue();
		}
	}

	@Test
	void errorThatAProbeGetsTooIsAnOutageWhateverWasBefore() {
		this.shared.answered();
		assertThat(passes(this.shared, this.error, this.error)).isTrue();
	}

	@Test
	void deciderOfOneCallIsNotBrokenForTheProbe() {
		this.own.answered();
		assertThat(passes(this.own, this.died, this.died)).isTrue();
		assertThat(passes(this.own, this.late, this.late)).isTrue();
	}

	/**
	 * Else the agent would kill it until it is not started again.
	 */
	@Test
	void deciderThatACallIsKnownToKillIsNotOutUntilItHasAnswered() {
		assertThat(passesBesideAnswers(this.shared, this.died)).isFalse();
		wait(OutageCheck.SUSPECT);
		assertThat(passes(this.shared, this.unreached, this.unreached)).isFalse();
		this.shared.answered();
		assertThat(passes(this.shared, this.unreached, this.unreached)).isTrue();
	}

	@Test
	void probeThatDoesNotShowWhyLetsNothingPass() {
		assertThat(passes(this.shared, this.error, NoVerdictException.refusal("busy"))).isFalse();
		assertThat(passes(this.own, this.error, NoVerdictException.shuttingDown())).isFalse();
	}

	@Test
	void whatMustNotPassIsNotChecked() {
		NoVerdictException refusal = NoVerdictException.refusal("no");
		assertThat(this.shared.check(refusal, this.probes::incrementAndGet, null)).isSameAs(refusal);
		assertThat(this.probes).hasValue(0);
	}

	@Test
	void interruptedThreadLetsNothingPass() {
		Thread.currentThread().interrupt();
		assertThat(passesBesideAnswers(this.shared, this.error)).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

}
