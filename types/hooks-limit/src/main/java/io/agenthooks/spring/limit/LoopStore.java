package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;

/**
 * The memory of each run, by digests only. If there are too many runs, the one that was
 * used least recently is forgotten.
 */
final class LoopStore {

	private final LoopSettings settings;

	private final KeyedState<OpenRun> state;

	private final long forgetAfter;

	private final long kept;

	private LoopStore(LoopSettings settings, KeyedState<OpenRun> state, Duration longest) {
		this.settings = settings;
		this.state = state;
		this.forgetAfter = SharedLimits.micros(settings.forgetAfter());
		this.kept = this.forgetAfter + SharedLimits.micros(longest);
	}

	static LoopStore open(String entry, LoopSettings settings, Duration longest, StateStore states) {
		return new LoopStore(settings, states.open(new StateTerms<>(List.of(entry), settings.maxRuns(),
				StateTerms.WhenFull.FORGET_OLDEST, false, new Codec(settings))), longest);
	}

	/** A run that is new, or over, begins. */
	Entered enter(String run, String call, String tool) {
		String id = SharedLimits.newId();
		return this.state.change(run, new Entered(unknown(call, tool), new Run(run, id)), (kept, now) -> {
			OpenRun known = find(kept, now);
			OpenRun open = (known != null) ? known : new OpenRun(now, id, new RunCalls(this.settings));
			RunCalls.Looked looked = open.calls().enter(call, tool);
			keep(kept, open, now);
			return new Entered(looked, new Run(run, open.born()));
		});
	}

	private RunCalls.Looked unknown(String call, String tool) {
		return new RunCalls(this.settings).look(call, tool);
	}

	private @Nullable OpenRun find(Kept<OpenRun> kept, long now) {
		OpenRun known = kept.state();
		return (known != null && now - known.usedAt() < this.forgetAfter) ? known : null;
	}

	private void keep(Kept<OpenRun> kept, OpenRun run, long now) {
		kept.keep(new OpenRun(now, run.born(), run.calls()), now + this.kept);
	}

	/**
	 * Unless the run was forgotten; {@code failed} is {@code null} if the tool did not
	 * run. To be called once.
	 */
	void end(Run run, String call, String tool, String result, @Nullable Boolean failed) {
		change(run, (calls) -> calls.end(call, tool, result, failed));
	}

	/** For a call that is decided once more. To be called once. */
	void leave(Run run) {
		change(run, RunCalls::leave);
	}

	/** Unless it was forgotten. A call that ends keeps its run, however long it took. */
	private void change(Run run, Consumer<RunCalls> use) {
		boolean unused = this.state.change(run.key(), false, (kept, now) -> {
			OpenRun known = kept.state();
			if (known == null || !known.born().equals(run.born())) {
				return false;
			}
			use.accept(known.calls());
			keep(kept, known, now);
			return true;
		});
	}

	/** Say what {@link #enter} would, without a trace. */
	RunCalls.Looked look(String run, String call, String tool) {
		return this.state.look(run, unknown(call, tool), (kept, now) -> {
			OpenRun known = find(kept, now);
			return (known != null) ? known.calls().look(call, tool) : unknown(call, tool);
		});
	}

	HookHealth.Report health() {
		return this.state.health();
	}

	record Run(String key, String born) {
	}

	record Entered(RunCalls.Looked looked, Run run) {
	}

	/** The time of the last news is in microseconds. */
	private record OpenRun(long usedAt, String born, RunCalls calls) {
	}

	private record Codec(LoopSettings settings) implements StateCodec<OpenRun> {

		private static final String VERSION = "l1";

		private static final int PARTS = 4;

		@Override
		public String write(OpenRun run) {
			return String.join(";", VERSION, String.valueOf(run.usedAt()), run.born(), run.calls().write());
		}

		@Override
		public OpenRun read(int space, String text) {
			String[] parts = text.split(";", PARTS);
			if (parts.length != PARTS || !parts[0].equals(VERSION)) {
				throw RunCalls.unreadable();
			}
			try {
				return new OpenRun(Long.parseLong(parts[1]), parts[2], RunCalls.read(this.settings, parts[3]));
			}
			catch (NumberFormatException ex) {
				throw RunCalls.unreadable();
			}
		}

	}

}
