package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.caller.CarriedContext;
import io.agenthooks.spring.external.AskedByHook;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Asks code of the application that may hang. What is late is interrupted and left
 * behind, and takes a thread until it ends; while all are taken, nothing is asked.
 */
final class TimedAnswers implements AutoCloseable {

	static final Duration TIME = Duration.ofSeconds(5);

	static final int MAX_THREADS = 16;

	private final ExecutorService executor = HooksThreads.unbounded("hooks-approval-preview");

	private final Semaphore threads = new Semaphore(MAX_THREADS);

	private final Duration time;

	TimedAnswers(Duration time) {
		this.time = time;
	}

	Duration time() {
		return this.time;
	}

	<T> @Nullable T ask(Supplier<@Nullable T> question) throws NoAnswerException {
		FutureTask<@Nullable T> task = new FutureTask<>(CarriedContext.carry(AskedByHook.carry(question)));
		if (!this.threads.tryAcquire()) {
			throw new NoAnswerException("is busy with other calls", null);
		}
		try {
			this.executor.execute(() -> {
				try {
					task.run();
				}
				finally {
					this.threads.release();
				}
			});
		}
		catch (RejectedExecutionException ex) {
			this.threads.release();
			throw new NoAnswerException("is shutting down", null);
		}
		try {
			return task.get(this.time.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new NoAnswerException("did not answer within %d ms".formatted(this.time.toMillis()), null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NoAnswerException("was not waited for", null);
		}
		catch (ExecutionException ex) {
			throw new NoAnswerException("failed", ex.getCause());
		}
		finally {
			task.cancel(true);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	/** The message says why, without what was asked. */
	static final class NoAnswerException extends Exception {

		private static final long serialVersionUID = 1L;

		NoAnswerException(String why, @Nullable Throwable cause) {
			super(why, cause);
		}

	}

}
