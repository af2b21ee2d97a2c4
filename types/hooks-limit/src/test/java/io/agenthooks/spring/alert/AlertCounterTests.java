package io.agenthooks.spring.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AlertCounter}, in a time that passes only when a test says so.
 */
class AlertCounterTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Instant LATER = Instant.parse("2026-11-24T12:00:00Z");

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 7);

	@Test
	void alertsAtTheFifthCallWithinAMinute() {
		AlertCounter counter = counter(5, Duration.ZERO);
		for (int i = 0; i < 4; i++) {
			assertThat(counter.add("a", AlertCounterTests::alert)).isEmpty();
			pass(Duration.ofSeconds(15));
		}
		assertThat(counter.add("a", AlertCounterTests::alert)).hasValue(0);
	}

	@Test
	void callsThatAreTooFarApartMakeNoAlert() {
		AlertCounter counter = counter(5, Duration.ZERO);
		for (int i = 0; i < 100; i++) {
			assertThat(counter.add("a", AlertCounterTests::alert)).isEmpty();
			pass(Duration.ofSeconds(15).plusNanos(1));
		}
	}

	@Test
	void eachKeyIsCountedAndSilencedForItself() {
		AlertCounter counter = counter(2, MINUTE);
		assertThat(counter.add("a", AlertCounterTests::alert)).isEmpty();
		assertThat(counter.add("b", AlertCounterTests::alert)).isEmpty();
		assertThat(counter.add("a", AlertCounterTests::alert)).hasValue(0);
		assertThat(counter.add("b", AlertCounterTests::alert)).hasValue(0);
	}

	@Test
	void nextAlertAfterTheSilenceSaysHowManyWereSilenced() {
		AlertCounter counter = counter(1, MINUTE);
		assertThat(counter.add("a", AlertCounterTests::alert)).hasValue(0);
		for (int i = 0; i < 7; i++) {
			assertThat(counter.add("a", AlertCounterTests::alert)).isEmpty();
		}
		pass(MINUTE.minusNanos(1));
		assertThat(counter.add("a", AlertCounterTests::alert)).isEmpty();
		pass(Duration.ofNanos(1));
		assertThat(counter.add("a", AlertCounterTests::alert)).hasValue(8);
		pass(MINUTE);
		assertThat(counter.add("a", AlertCounterTests::alert)).hasValue(0);
	}

	@Test
	void whatASilenceKeptBackIsASummaryIfNoAlertTellsIt() {
		AlertCounter counter = counter(1, MINUTE);
		for (String key : List.of("a", "b", "c", "a", "b", "b")) {
			counter.add(key, AlertCounterTests::alert);
		}
		assertThat(counter.isKeepingBack()).isTrue();
		pass(MINUTE);
		assertThat(counter.takeSummaries(LATER)).isEmpty();
		assertThat(counter.add("a", AlertCounterTests::alert)).hasValue(1);
		pass(counter.grace().minusNanos(1));
		assertThat(counter.takeSummaries(LATER)).isEmpty();
		pass(Duration.ofNanos(1));
		assertThat(counter.takeSummaries(LATER)).containsExactly(alert().summary(LATER, 2));
		assertThat(counter.isKeepingBack()).isFalse();
		assertThat(counter.takeSummaries(LATER)).isEmpty();
		assertThat(counter.add("b", AlertCounterTests::alert)).hasValue(0);
	}

	@Test
	void silenceIsLookedAfterWithinAMinuteAndNotAllTheTime() {
		assertThat(counter(1, Duration.ofNanos(1)).grace()).isEqualTo(Duration.ofSeconds(1));
		assertThat(counter(1, MINUTE).grace()).isEqualTo(Duration.ofSeconds(6));
		assertThat(counter(1, Duration.ofDays(7)).grace()).isEqualTo(MINUTE);
	}

	@Test
	void keyIsNotForgottenBeforeItIsToldWhatWasKeptBack() {
		AlertCounter counter = counter(1, MINUTE);
		for (int i = 0; i < 10_000; i++) {
			counter.add("k" + i, AlertCounterTests::alert);
			counter.add("k" + i, AlertCounterTests::alert);
		}
		pass(MINUTE.multipliedBy(2));
		counter.add("new", AlertCounterTests::alert);
		assertThat(counter.takeSummaries(LATER)).hasSize(10_000);
		pass(MINUTE);
		counter.add("new", AlertCounterTests::alert);
		assertThat(counter.size()).isEqualTo(1);
	}

	@Test
	void callsAreCountedAnewAfterEachAlert() {
		AlertCounter counter = counter(3, Duration.ZERO);
		List<Boolean> alerts = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			alerts.add(counter.add("a", AlertCounterTests::alert).isPresent());
		}
		assertThat(alerts).containsExactly(false, false, true, false, false, true, false, false, true);
	}

	@Test
	void millionKeysAreBoundedAndCannotKeepAnAlertAway() {
		AlertCounter counter = counter(5, MINUTE);
		for (int i = 0; i < 1_000_000; i++) {
			counter.add("made up " + i, AlertCounterTests::alert);
		}
		assertThat(counter.size()).isEqualTo(10_000);
		pass(MINUTE);
		// Those of a minute ago are still kept, so these are counted with others.
		long alerts = 0;
		for (int i = 0; i < 5; i++) {
			alerts += counter.add("real", AlertCounterTests::alert).isPresent() ? 1 : 0;
		}
		assertThat(alerts).isEqualTo(1);
		pass(MINUTE.plusNanos(1));
		counter.add("new", AlertCounterTests::alert);
		assertThat(counter.size()).isEqualTo(1);
	}

	@Test
	void timesThatAreKeptInAllAreBounded() {
		AlertCounter counter = counter(1_000, MINUTE);
		for (int i = 0; i < 20_000; i++) {
			counter.add("made up " + i, AlertCounterTests::alert);
		}
		assertThat(counter.size()).isEqualTo(1_000);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 5, 17 })
	void agreesWithACounterThatKeepsEverything(int times) {
		Random random = new Random(times);
		AlertCounter counter = counter(times, Duration.ofSeconds(90));
		List<Long> calls = new ArrayList<>();
		long silentUntil = Long.MIN_VALUE;
		long silenced = 0;
		long now = 0;
		for (int i = 0; i < 20_000; i++) {
			long passed = random.nextInt((random.nextInt(10) == 0) ? 200_000 : 12_000);
			now += passed;
			pass(Duration.ofMillis(passed));
			calls.add(now);
			long from = now - MINUTE.toMillis();
			calls.removeIf((call) -> call < from);
			OptionalLong expected = OptionalLong.empty();
			if (calls.size() >= times) {
				calls.clear();
				if (now < silentUntil) {
					silenced++;
				}
				else {
					expected = OptionalLong.of(silenced);
					silenced = 0;
					silentUntil = now + 90_000;
				}
			}
			assertThat(counter.add("a", AlertCounterTests::alert)).isEqualTo(expected);
		}
	}

	@Test
	void parallelCallsMakeExactlyTheAlertsThatTheyShould() throws Exception {
		AlertCounter counter = counter(5, Duration.ZERO);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			Callable<Long> calls = () -> {
				long alerts = 0;
				for (int i = 0; i < 1_000; i++) {
					alerts += counter.add("a", AlertCounterTests::alert).isPresent() ? 1 : 0;
				}
				return alerts;
			};
			long alerts = 0;
			for (Future<Long> found : threads.invokeAll(Collections.nCopies(8, calls))) {
				alerts += found.get();
			}
			assertThat(alerts).isEqualTo(8_000 / 5);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private AlertCounter counter(int times, Duration silence) {
		return new AlertCounter("alarm", times, MINUTE, silence, this.clock::get);
	}

	private static ToolAlert alert() {
		return new ToolAlert("alarm", LATER.minusSeconds(99), "id", "tool", null, "denied", "deny", null, null, null,
				List.of(), List.of(), null, null, null, null, null, 1, 0, false);
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

}
