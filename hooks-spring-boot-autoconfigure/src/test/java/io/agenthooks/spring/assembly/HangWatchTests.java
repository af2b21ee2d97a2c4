package io.agenthooks.spring.assembly;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link HangWatch}.
 */
class HangWatchTests {

	/**
	 * One error must not end all time limits of the application.
	 */
	@Test
	@Timeout(60)
	void goesOnAfterAnErrorOfWhatIsToldOfAnInterrupt() {
		try (HangWatch watch = new HangWatch()) {
			watch.prepareFor(Duration.ofMillis(50));
			for (int i = 0; i < 2; i++) {
				assertThatIllegalStateException().isThrownBy(() -> watch.run(new Failing(), HangWatchTests::hang))
					.withMessage("late");
			}
		}
	}

	private static void hang() {
		try {
			Thread.sleep(20_000);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Cannot say that it is interrupted.
	 */
	private static final class Failing implements HangWatch.Watched {

		@Override
		public long nanos() {
			return Duration.ofMillis(50).toNanos();
		}

		@Override
		public void interrupted() {
			throw new LinkageError("of what logs");
		}

		@Override
		public void ignored(StackTraceElement[] stack) {
			throw new LinkageError("of what logs");
		}

		@Override
		public RuntimeException endedLate(@Nullable Throwable failure) {
			return new IllegalStateException("late");
		}

	}

}
