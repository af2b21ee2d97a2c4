package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the calls of runs in the memory of the application. If there are too many runs,
 * the one that was used least recently is forgotten.
 */
final class MemoryLoops implements LoopStore {

	private final LoopSettings settings;

	private final LongSupplier nanos;

	private final Map<String, Kept> runs;

	/**
	 * Create a store.
	 * @param nanos tells the time in nanoseconds
	 */
	MemoryLoops(LoopSettings settings, LongSupplier nanos) {
		this.settings = settings;
		this.nanos = nanos;
		int maxRuns = settings.maxRuns();
		this.runs = new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
				return size() > maxRuns;
			}

		};
	}

	@Override
	public Entered enter(String run, String call, String tool) {
		Kept kept = use(run);
		return new Entered(kept.calls.enter(call, tool), kept);
	}

	private Kept use(String run) {
		long now = this.nanos.getAsLong();
		synchronized (this.runs) {
			Kept known = this.runs.get(run);
			if (known == null || isOver(known, now)) {
				known = new Kept(new RunCalls(this.settings));
				this.runs.put(run, known);
			}
			known.usedAt = now;
			return known;
		}
	}

	private boolean isOver(Kept run, long now) {
		return now - run.usedAt >= this.settings.forgetAfter().toNanos();
	}

	@Override
	public void end(Run run, String call, String tool, String result, @Nullable Boolean failed) {
		Kept kept = (Kept) run;
		kept.usedAt = this.nanos.getAsLong();
		kept.calls.end(call, tool, result, failed);
	}

	@Override
	public void leave(Run run) {
		Kept kept = (Kept) run;
		kept.usedAt = this.nanos.getAsLong();
		kept.calls.leave();
	}

	@Override
	public RunCalls.Looked look(String run, String call, String tool) {
		Kept known;
		synchronized (this.runs) {
			known = this.runs.get(run);
		}
		RunCalls calls = (known != null && !isOver(known, this.nanos.getAsLong())) ? known.calls
				: new RunCalls(this.settings);
		return calls.look(call, tool);
	}

	/**
	 * How many runs are remembered.
	 */
	int size() {
		synchronized (this.runs) {
			return this.runs.size();
		}
	}

	/**
	 * What is kept of a run.
	 */
	private static final class Kept implements Run {

		private final RunCalls calls;

		/** When something was heard of the run last. */
		private volatile long usedAt;

		Kept(RunCalls calls) {
			this.calls = calls;
		}

	}

}
