package io.agenthooks.spring.threads;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HooksThreads}.
 */
class HooksThreadsTests {

	private static final InheritableThreadLocal<String> user = new InheritableThreadLocal<>();

	static Stream<Function<String, ExecutorService>> executors() {
		return Stream.of(HooksThreads::unbounded, (name) -> HooksThreads.queue(name, 1), HooksThreads::timer);
	}

	@ParameterizedTest
	@MethodSource("executors")
	void threadOfAnExecutorHasANameEndsWithTheApplicationAndKnowsNoUser(Function<String, ExecutorService> executors)
			throws Exception {
		ExecutorService executor = executors.apply("hooks-x");
		user.set("ann");
		try {
			assertThat(executor.submit(HooksThreadsTests::describe).get(1, TimeUnit.MINUTES))
				.isEqualTo("hooks-x true null");
		}
		finally {
			user.remove();
			assertThat(HooksThreads.end(executor, Duration.ofMinutes(1))).isZero();
		}
		assertThat(executor.isTerminated()).isTrue();
	}

	@Test
	void threadHasANameEndsWithTheApplicationAndKnowsNoUser() throws Exception {
		user.set("ann");
		try {
			FutureTask<String> task = new FutureTask<>(HooksThreadsTests::describe);
			HooksThreads.start("hooks-y", task);
			assertThat(task.get(1, TimeUnit.MINUTES)).isEqualTo("hooks-y true null");
		}
		finally {
			user.remove();
		}
	}

	private static String describe() {
		Thread thread = Thread.currentThread();
		return thread.getName() + " " + thread.isDaemon() + " " + user.get();
	}

	@Test
	void threadLoadsWithTheClassLoaderOfWhoMadeIt() throws Exception {
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		ClassLoader own = new ClassLoader(before) {
		};
		Thread.currentThread().setContextClassLoader(own);
		ExecutorService executor;
		try {
			executor = HooksThreads.unbounded("hooks-x");
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
		assertThat(executor.submit(() -> Thread.currentThread().getContextClassLoader()).get(1, TimeUnit.MINUTES))
			.isSameAs(own);
		assertThat(HooksThreads.end(executor, Duration.ofMinutes(1))).isZero();
	}

	@Test
	void queueDoesOneThingAfterTheOtherAndRejectsWhatDoesNotFit() {
		ExecutorService queue = HooksThreads.queue("hooks-x", 2);
		CountDownLatch free = new CountDownLatch(1);
		CountDownLatch begun = new CountDownLatch(1);
		queue.execute(() -> {
			begun.countDown();
			await(free);
		});
		await(begun);
		StringBuilder done = new StringBuilder();
		queue.execute(() -> done.append("a"));
		queue.execute(() -> done.append("b"));
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> queue.execute(() -> {
		}));
		free.countDown();
		assertThat(HooksThreads.end(queue, Duration.ofMinutes(1))).isZero();
		assertThat(done).hasToString("ab");
	}

	@Test
	void endWaitsNoLongerThanItsGraceAndTellsWhatIsNotDone() throws InterruptedException {
		ExecutorService queue = HooksThreads.queue("hooks-x", 2);
		CountDownLatch begun = new CountDownLatch(1);
		queue.execute(() -> {
			begun.countDown();
			await(new CountDownLatch(1));
		});
		await(begun);
		queue.execute(() -> {
		});
		assertThat(HooksThreads.end(queue, Duration.ofMillis(1))).isOne();
		assertThat(queue.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
	}

	@Test
	void endLeavesAnInterruptAsItIs() {
		ExecutorService queue = HooksThreads.queue("hooks-x", 1);
		Thread.currentThread().interrupt();
		queue.execute(() -> await(new CountDownLatch(1)));
		HooksThreads.end(queue, Duration.ofMinutes(1));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void timerForgetsWhatIsCancelledAndHasNoThreadWhileNothingIsToBeDone() {
		ScheduledThreadPoolExecutor timer = HooksThreads.timer("hooks-x");
		assertThat(timer.getPoolSize()).isZero();
		timer.schedule(() -> {
		}, 1, TimeUnit.DAYS).cancel(false);
		assertThat(timer.getQueue()).isEmpty();
		assertThat(timer.allowsCoreThreadTimeOut()).isTrue();
		timer.shutdownNow();
	}

	private static void await(CountDownLatch latch) {
		try {
			boolean unused = latch.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
