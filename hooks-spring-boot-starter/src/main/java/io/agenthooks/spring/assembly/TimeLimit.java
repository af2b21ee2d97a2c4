package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.chain.HookAround;
import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.external.AskedByHook;

/**
 * Limits the time that a hook may take, also one that ignores interrupts: it runs on
 * another thread, which is abandoned when the time is over. The number of abandoned
 * threads is bounded; beyond it, a call waits for one of them within its time.
 * <p>
 * A watchdog that interrupts the calling thread would cost less, but could not free it
 * from a hook that ignores interrupts.
 */
final class TimeLimit implements HookAround, HookCounts {

	private static final int MAX_THREADS = 64;

	private final String hook;

	private final Duration timeout;

	private final ExecutorService executor;

	private final Semaphore threads = new Semaphore(MAX_THREADS);

	private final AtomicInteger abandoned = new AtomicInteger();

	TimeLimit(String hook, Duration timeout, ExecutorService executor) {
		this.hook = hook;
		this.timeout = timeout;
		this.executor = executor;
	}

	/**
	 * The threads for some hooks.
	 */
	static ExecutorService threads() {
		return Executors.newCachedThreadPool(TimeLimit::daemon);
	}

	private static Thread daemon(Runnable task) {
		// Without what the thread of some call would bequeath, such as its user.
		Thread thread = new Thread(null, task, "time-limited-hook", 0, false);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * How many threads still run the hook although no call waits for it any more.
	 */
	@Override
	public int abandonedThreads() {
		return this.abandoned.get();
	}

	/**
	 * Ask a hook. That the application is shutting down is no failure of it.
	 */
	@Override
	public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
		try {
			return decideInTime(hook);
		}
		catch (RuntimeException ex) {
			if (this.executor.isShutdown()) {
				throw new NotAskedException("The application is shutting down");
			}
			throw ex;
		}
	}

	/**
	 * Tell a hook how a call ended. One that ends while the application shuts down is
	 * told nevertheless, so that no outcome is lost.
	 */
	@Override
	public void tell(Runnable hook) {
		if (this.executor.isShutdown()) {
			hook.run();
			return;
		}
		decideInTime(() -> {
			hook.run();
			return null;
		});
	}

	private <D extends @Nullable Object> D decideInTime(Supplier<D> decision) {
		long deadline = System.nanoTime() + this.timeout.toNanos();
		awaitThread();
		FutureTask<D> task = new FutureTask<>(AskedByHook.carry(decision)::get);
		AtomicBoolean left = new AtomicBoolean();
		start(task, left);
		try {
			return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			abandon(left);
			throw new TimeLimitExceededException(this.hook, this.timeout);
		}
		catch (InterruptedException ex) {
			abandon(left);
			throw interrupted();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw (ex.getCause() instanceof RuntimeException cause) ? cause
					: new IllegalStateException("The hook '" + this.hook + "' failed", ex.getCause());
		}
		finally {
			task.cancel(true);
		}
	}

	private void awaitThread() {
		try {
			if (!this.threads.tryAcquire(this.timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new TimeLimitExceededException(this.hook, this.timeout);
			}
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
	}

	private IllegalStateException interrupted() {
		Thread.currentThread().interrupt();
		return new IllegalStateException("The wait for the hook '" + this.hook + "' was interrupted");
	}

	private void start(FutureTask<?> task, AtomicBoolean left) {
		try {
			this.executor.execute(() -> {
				try {
					task.run();
				}
				finally {
					if (!left.compareAndSet(false, true)) {
						this.abandoned.decrementAndGet();
					}
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
	 * Count a thread that still runs, unless it ends at the same moment: of the waiting
	 * and the deciding thread, the second sees that the first has left.
	 */
	private void abandon(AtomicBoolean left) {
		this.abandoned.incrementAndGet();
		if (!left.compareAndSet(false, true)) {
			this.abandoned.decrementAndGet();
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
