package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.chain.HookAround;
import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.caller.CarriedContext;
import io.agenthooks.spring.external.AskedByHook;
import io.agenthooks.spring.external.QuestionsInFlight;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Limits the time of a hook, also of one that ignores interrupts: it runs on another
 * thread, which is abandoned when the time is over. The number of abandoned threads is
 * bounded: beyond it, a call waits for one of them within its time, and is not told to a
 * hook that only learns. A {@link LearningBound} costs less, but cannot free a thread.
 */
final class TimeLimit implements HookAround {

	static final int MAX_THREADS = 64;

	/** The most explanations that may ask a hook at once, or hang in it. */
	static final int MAX_EXPLAINING = 4;

	private static final BoundCounts UNCOUNTED = new BoundCounts();

	private final String hook;

	private final Duration timeout;

	private final ExecutorService executor;

	private final Semaphore threads = new Semaphore(MAX_THREADS);

	/** Of its own, so that explanations take no thread from a call. */
	private final Semaphore explaining = new Semaphore(MAX_EXPLAINING);

	private final QuestionsInFlight inFlight = new QuestionsInFlight();

	private final BoundCounts counts;

	TimeLimit(String hook, Duration timeout, ExecutorService executor, BoundCounts counts) {
		this.hook = hook;
		this.timeout = timeout;
		this.executor = executor;
		this.counts = counts;
	}

	static ExecutorService threads() {
		return HooksThreads.unbounded("time-limited-hook");
	}

	/** That the application is shutting down is not a failure of the hook. */
	@Override
	public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
		try (QuestionsInFlight.Question question = this.inFlight.begin(this.timeout)) {
			try {
				return decideInTime(hook);
			}
			catch (TimeLimitExceededException ex) {
				throw orShutdown((question.isLateBesideOthers()) ? busy() : ex);
			}
			catch (RuntimeException ex) {
				throw orShutdown(ex);
			}
		}
	}

	private RuntimeException orShutdown(RuntimeException ex) {
		return (this.executor.isShutdown()) ? new NotAskedException("The application is shutting down") : ex;
	}

	@Override
	public <D extends HookDecision> @Nullable D explain(Supplier<@Nullable D> hook) {
		FutureTask<@Nullable D> task = carried(hook);
		if (!this.explaining.tryAcquire()) {
			throw new NotAskedException("Not asked: %d other explanations wait for it".formatted(MAX_EXPLAINING));
		}
		try {
			return decideBy(System.nanoTime() + this.timeout.toNanos(), task, UNCOUNTED, this.explaining);
		}
		catch (RuntimeException ex) {
			throw orShutdown(ex);
		}
	}

	/** While the application shuts down, too, so that no outcome is lost. */
	@Override
	public void tell(Runnable hook) {
		if (this.executor.isShutdown()) {
			hook.run();
			return;
		}
		checkThreads();
		decideInTime(() -> {
			hook.run();
			return null;
		});
	}

	/** Tell a hook, but go on without it after a while; to end it is up to the hook. */
	void tellWithin(Duration patience, Runnable hook, Consumer<Throwable> late) {
		if (this.executor.isShutdown()) {
			hook.run();
			return;
		}
		checkThreads();
		AtomicBoolean settled = new AtomicBoolean();
		FutureTask<@Nullable Object> task = carried(() -> {
			try {
				hook.run();
				return null;
			}
			catch (RuntimeException | Error ex) {
				if (!settled.compareAndSet(false, true)) {
					late.accept(ex);
				}
				throw ex;
			}
		});
		awaitThread();
		start(task, new AtomicBoolean(), this.counts, this.threads);
		try {
			await(task, patience, settled);
		}
		catch (InterruptedException ex) {
			settled.set(true);
			throw interrupted();
		}
		catch (ExecutionException ex) {
			throw failure(ex);
		}
	}

	/** Wait for a while, and then until the end only if that has come at that moment. */
	private static void await(FutureTask<?> task, Duration patience, AtomicBoolean settled)
			throws InterruptedException, ExecutionException {
		try {
			task.get(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (!settled.compareAndSet(false, true)) {
				task.get();
			}
		}
	}

	private void checkThreads() {
		if (this.threads.availablePermits() == 0 && this.counts.abandonedThreads() >= MAX_THREADS) {
			this.counts.skipped();
			throw new TooManyThreadsException(this.hook);
		}
	}

	private <D extends @Nullable Object> D decideInTime(Supplier<D> decision) {
		long deadline = System.nanoTime() + this.timeout.toNanos();
		FutureTask<D> task = carried(decision);
		boolean waited = awaitThread();
		try {
			return decideBy(deadline, task, this.counts, this.threads);
		}
		catch (TimeLimitExceededException ex) {
			throw (waited) ? busy() : ex;
		}
	}

	/** Made before a thread is claimed: it may fail, and the claim would be lost. */
	private static <D extends @Nullable Object> FutureTask<D> carried(Supplier<D> decision) {
		return new FutureTask<>(CarriedContext.carry(AskedByHook.carry(decision)));
	}

	private <D extends @Nullable Object> D decideBy(long deadline, FutureTask<D> task, BoundCounts counts,
			Semaphore threads) {
		AtomicBoolean left = new AtomicBoolean();
		start(task, left, counts, threads);
		try {
			return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			counts.abandon(left);
			counts.timedOut();
			throw new TimeLimitExceededException(this.hook, this.timeout);
		}
		catch (InterruptedException ex) {
			counts.abandon(left);
			throw interrupted();
		}
		catch (ExecutionException ex) {
			throw failure(ex);
		}
		finally {
			task.cancel(true);
		}
	}

	private RuntimeException failure(ExecutionException ex) {
		if (ex.getCause() instanceof Error error) {
			throw error;
		}
		return (ex.getCause() instanceof RuntimeException cause) ? cause
				: new IllegalStateException("The hook '" + this.hook + "' failed", ex.getCause());
	}

	/** The number of calls is up to the agent, so no mode lets a call pass for that. */
	private NotAskedException busy() {
		return new NotAskedException("The hook '%s' is busy with other calls".formatted(this.hook));
	}

	private boolean awaitThread() {
		try {
			if (this.threads.tryAcquire()) {
				return false;
			}
			if (!this.threads.tryAcquire(this.timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				this.counts.timedOut();
				throw busy();
			}
			return true;
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
	}

	private IllegalStateException interrupted() {
		Thread.currentThread().interrupt();
		return new IllegalStateException("The wait for the hook '" + this.hook + "' was interrupted");
	}

	private void start(FutureTask<?> task, AtomicBoolean left, BoundCounts counts, Semaphore threads) {
		try {
			this.executor.execute(() -> {
				try {
					task.run();
				}
				finally {
					counts.leave(left);
					threads.release();
				}
			});
		}
		catch (RuntimeException | Error ex) {
			threads.release();
			throw ex;
		}
	}

	static final class TooManyThreadsException extends RuntimeException {

		TooManyThreadsException(String hook) {
			super("The hook '" + hook + "' is skipped: " + MAX_THREADS + " of its threads hang");
		}

	}

	static final class TimeLimitExceededException extends RuntimeException {

		TimeLimitExceededException(String hook, Duration timeout) {
			super("The hook '" + hook + "' did not decide within " + timeout.toMillis() + " ms");
		}

	}

}
