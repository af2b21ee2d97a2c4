package io.agenthooks.spring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Limits the time that a hook may take, also one that ignores interrupts: it runs on
 * another thread, which is given up when the time is over. The number of threads that may
 * hang so is bounded; beyond it, a call waits for one of them within its time.
 */
final class TimeLimitedPreToolHook implements PreToolHook {

	private static final int MAX_THREADS = 64;

	private final String name;

	private final PreToolHook delegate;

	private final Duration timeout;

	private final Executor executor;

	private final Semaphore threads = new Semaphore(MAX_THREADS);

	TimeLimitedPreToolHook(String name, PreToolHook delegate, Duration timeout, Executor executor) {
		this.name = name;
		this.delegate = delegate;
		this.timeout = timeout;
		this.executor = executor;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		long deadline = System.nanoTime() + this.timeout.toNanos();
		FutureTask<ToolDecision> task = new FutureTask<>(() -> this.delegate.preCall(call));
		try {
			if (!this.threads.tryAcquire(this.timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new TimeLimitExceededException(this.name, this.timeout);
			}
			start(task);
			return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			// No failure of the hook, so nothing that may fail open.
			return ToolDecision.deny("The application is shutting down");
		}
		catch (TimeoutException ex) {
			throw new TimeLimitExceededException(this.name, this.timeout);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The wait for the hook '" + this.name + "' was interrupted");
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw (ex.getCause() instanceof RuntimeException cause) ? cause
					: new IllegalStateException("The hook '" + this.name + "' failed", ex.getCause());
		}
		finally {
			task.cancel(true);
		}
	}

	private void start(FutureTask<ToolDecision> task) {
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
		catch (RuntimeException | Error ex) {
			this.threads.release();
			throw ex;
		}
	}

	/**
	 * A hook took longer than it may.
	 */
	static final class TimeLimitExceededException extends RuntimeException {

		TimeLimitExceededException(String hook, Duration timeout) {
			super("The hook '" + hook + "' did not decide within " + timeout.toMillis() + " ms");
		}

	}

}
