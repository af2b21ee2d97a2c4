package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.agenthooks.spring.threads.HooksThreads;

/** The hooks that only observe for a while. Not for use by several threads at once. */
final class ObservedHooks implements AutoCloseable {

	private final ScheduledThreadPoolExecutor timer = HooksThreads.timer("hooks-observe");

	private final Map<String, Observed> hooks = new LinkedHashMap<>();

	private final LongSupplier nanos;

	ObservedHooks(LongSupplier nanos) {
		this.nanos = nanos;
	}

	/** Returns when the time is over, and calls {@code over} then on another thread. */
	Instant add(String hook, Duration time, Consumer<Observed> over) {
		Observed observed = new Observed(hook, this.nanos.getAsLong() + time.toNanos(), Instant.now().plus(time));
		try {
			var unused = this.timer.schedule(() -> over.accept(observed), time.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			throw new IllegalStateException("The application is shutting down", ex);
		}
		this.hooks.put(hook, observed);
		return observed.until();
	}

	/** Remove a hook, unless its time was set anew since. */
	boolean remove(Observed observed) {
		return this.hooks.remove(observed.hook(), observed);
	}

	boolean remove(String hook) {
		return this.hooks.remove(hook) != null;
	}

	/** Whether a hook only observes now: not if its time is over, whoever is late. */
	boolean has(String hook) {
		Observed observed = this.hooks.get(hook);
		return observed != null && this.nanos.getAsLong() - observed.end() < 0;
	}

	Map<String, Instant> all() {
		Map<String, Instant> all = new LinkedHashMap<>();
		this.hooks.forEach((name, observed) -> all.put(name, observed.until()));
		return all;
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
	}

	/**
	 * A hook that only observes.
	 *
	 * @param end when the time is over, of a clock that nobody sets
	 * @param until the same for people
	 */
	record Observed(String hook, long end, Instant until) {
	}

}
