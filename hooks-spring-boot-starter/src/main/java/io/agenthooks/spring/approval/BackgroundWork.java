package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what no call should wait for, one thing after the other. There is a thread only
 * while there is something to do. Whoever gives work bounds how much of it waits.
 */
final class BackgroundWork implements Executor, AutoCloseable {

	static final String THREAD = "hooks-approval-work";

	private static final Duration IDLE = Duration.ofSeconds(10);

	private static final Duration FAREWELL = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(BackgroundWork.class);

	private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, BackgroundWork::newThread);

	BackgroundWork() {
		this.thread.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
		this.thread.allowCoreThreadTimeOut(true);
		this.thread.setRemoveOnCancelPolicy(true);
	}

	private static Thread newThread(Runnable work) {
		Thread thread = new Thread(work, THREAD);
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void execute(Runnable work) {
		execute(work, Duration.ZERO);
	}

	/**
	 * Do something after a while, unless the application ends before.
	 * @param work what it throws is logged, without its text
	 */
	void execute(Runnable work, Duration delay) {
		try {
			var unused = this.thread.schedule(() -> run(work), delay.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application ends, so questions to people are left as they are");
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

	/**
	 * Whether no further work is done.
	 */
	boolean isClosed() {
		return this.thread.isShutdown();
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		try {
			boolean unused = this.thread.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
