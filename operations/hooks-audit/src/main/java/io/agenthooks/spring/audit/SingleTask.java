package io.agenthooks.spring.audit;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import io.agenthooks.spring.threads.HooksThreads;
import io.agenthooks.spring.web.Replies;

/**
 * Runs one thing at a time, in a thread of its own and no longer than it may. The thread
 * is told to end, and not interrupted: databases within the application close their files
 * when a thread is that reads them.
 */
final class SingleTask {

	private static final int UNAVAILABLE = 503;

	private final String name;

	private final Duration limit;

	private final AtomicBoolean busy = new AtomicBoolean();

	SingleTask(String name, Duration limit) {
		this.name = name;
		this.limit = limit;
	}

	WebEndpointResponse<Map<String, @Nullable Object>> run(Task task) {
		if (!this.busy.compareAndSet(false, true)) {
			return Replies.error("This is already running. Try again when it has ended", Replies.CONFLICT);
		}
		AtomicBoolean givenUp = new AtomicBoolean();
		FutureTask<Map<String, @Nullable Object>> future = new FutureTask<>(() -> {
			try {
				return task.run(givenUp::get);
			}
			finally {
				// Not before the thread has ended its work, also one that was given up.
				this.busy.set(false);
			}
		});
		HooksThreads.start(this.name, future);
		return await(future, givenUp);
	}

	private WebEndpointResponse<Map<String, @Nullable Object>> await(FutureTask<Map<String, @Nullable Object>> future,
			AtomicBoolean givenUp) {
		try {
			return Replies.ok(future.get(this.limit.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			givenUp.set(true);
			return Replies.error("This took longer than %d seconds and was cancelled. Use the command line"
				.formatted(this.limit.toSeconds()), UNAVAILABLE);
		}
		catch (InterruptedException ex) {
			givenUp.set(true);
			Thread.currentThread().interrupt();
			return Replies.error("This was interrupted", UNAVAILABLE);
		}
		catch (ExecutionException ex) {
			Throwable failure = Objects.requireNonNullElse(ex.getCause(), ex);
			if (failure instanceof InterruptedIOException) {
				return Replies.error("This was interrupted", UNAVAILABLE);
			}
			return Replies.failure("The audit could not be read", failure);
		}
	}

	@FunctionalInterface
	interface Task {

		Map<String, @Nullable Object> run(BooleanSupplier cancelled) throws Exception;

	}

}
