package io.agenthooks.spring.alert;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AlertTimer}.
 */
class AlertTimerTests {

	@Test
	void doesLaterWhatIsToBeDone() {
		CompletableFuture<String> done = new CompletableFuture<>();
		try (AlertTimer timer = new AlertTimer()) {
			timer.later(() -> {
				throw new IllegalStateException("boom");
			}, Duration.ZERO);
			timer.later(() -> done.complete(Thread.currentThread().getName()), Duration.ofMillis(1));
			assertThat(done).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("hooks-alerts-timer");
		}
	}

	/**
	 * The first holds the only thread until the timer is closed, which interrupts it.
	 */
	@Test
	void whatIsStillToBeDoneAtTheEndIsNotDone() {
		CompletableFuture<Boolean> begun = new CompletableFuture<>();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		CompletableFuture<Boolean> late = new CompletableFuture<>();
		AlertTimer timer = new AlertTimer();
		timer.later(() -> {
			begun.complete(true);
			try {
				new CompletableFuture<Boolean>().get();
			}
			catch (Exception ex) {
				interrupted.complete(ex instanceof InterruptedException);
			}
		}, Duration.ZERO);
		timer.later(() -> late.complete(true), Duration.ofNanos(1));
		assertThat(begun).succeedsWithin(Duration.ofSeconds(30));
		timer.close();
		timer.later(() -> late.complete(true), Duration.ZERO);
		assertThat(interrupted).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
		assertThat(late).isNotDone();
	}

}
