package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BackgroundWork}.
 */
class BackgroundWorkTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final List<String> done = new CopyOnWriteArrayList<>();

	@Test
	void whatIsToBeDoneIsDoneBeforeTheEndInItsOrderButNotWhatIsToBeDoneLater() {
		BackgroundWork work = new BackgroundWork(LONG);
		work.execute(() -> this.done.add("later"), LONG);
		for (int i = 0; i < 100; i++) {
			String number = String.valueOf(i);
			work.execute(() -> this.done.add(number));
		}
		work.execute(() -> {
			throw new IllegalStateException("secret");
		});
		work.execute(() -> this.done.add("last"));
		work.finish();
		assertThat(this.done).hasSize(101).startsWith("0", "1").endsWith("99", "last");
		work.execute(() -> this.done.add("more"));
		work.close();
		assertThat(this.done).hasSize(102).last().isEqualTo("more");
		work.execute(() -> this.done.add("too late"));
		work.close();
		assertThat(this.done).hasSize(102);
	}

	@Test
	void endDoesNotWaitForWorkThatHangsAndInterruptsIt() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch never = new CountDownLatch(1);
		BackgroundWork work = new BackgroundWork(Duration.ofMillis(50));
		work.execute(() -> {
			try {
				this.done.add(String.valueOf(never.await(LONG.toSeconds(), TimeUnit.SECONDS)));
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		});
		work.finish();
		assertThat(work.isClosed()).isFalse();
		work.close();
		assertThat(work.isClosed()).isTrue();
		assertThat(interrupted.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.done).isEmpty();
	}

}
