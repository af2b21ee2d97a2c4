package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.spring.threads.HooksThreads;

/**
 * Does one thing after the other, on a thread only while there is work. The caller bounds
 * how much waits.
 */
final class BackgroundWork implements Executor, AutoCloseable {

	static final String THREAD = "hooks-approval-work";

	private static final Duration FINISHING = Duration.ofSeconds(10);

	/** The wait for what it interrupted. */
	private static final Duration FAREWELL = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(BackgroundWork.class);

	private final ScheduledThreadPoolExecutor thread = HooksThreads.timer(THREAD);

	private final Duration finishing;

	private volatile boolean hangs;

	BackgroundWork() {
		this(FINISHING);
	}

	BackgroundWork(Duration finishing) {
		this.finishing = finishing;
	}

	@Override
	public void execute(Runnable work) {
		execute(work, Duration.ZERO);
	}

	void execute(Runnable work, Duration delay) {
		try {
			var unused = this.thread.schedule(() -> run(work), delay.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application is shutting down, so questions to people stay as they are");
		}
	}

	private static void run(Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException | LinkageError ex) {
			// Without its text, which may be the driver's.
			logger.warn("Work on questions to people failed: {}", ex.getClass().getName());
		}
	}

	boolean isClosed() {
		return this.thread.isShutdown();
	}

	/**
	 * Waits for what there is to do now, but not for ever, and not for what is delayed.
	 */
	void finish() {
		if (isClosed() || this.hangs) {
			return;
		}
		CountDownLatch done = new CountDownLatch(1);
		execute(done::countDown);
		this.hangs = !await(done);
	}

	/** Also if the thread is interrupted: that must not keep questions open. */
	private boolean await(CountDownLatch done) {
		long deadline = System.nanoTime() + this.finishing.toNanos();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return done.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void close() {
		finish();
		this.thread.shutdownNow();
		try {
			boolean unused = this.thread.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
