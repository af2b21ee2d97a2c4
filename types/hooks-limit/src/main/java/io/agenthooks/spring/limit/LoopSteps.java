package io.agenthooks.spring.limit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/** The number from which on each step holds. */
record LoopSteps(int warn, int deny, int abort) {

	/** As in openclaw. */
	static final LoopSteps DEFAULTS = new LoopSteps(10, 20, 30);

	static final LoopSteps NEVER = new LoopSteps(0, 0, 0);

	private static final int MAX = 100_000;

	/** A number that is not written keeps its default, unless that is out of order. */
	static LoopSteps of(LoopConfig.@Nullable Steps written, LoopSteps defaults, String option, int min,
			List<Problem> problems) {
		if (written == null) {
			return defaults;
		}
		int warnAt = read(written.warn(), option, "warn", min, problems);
		int denyAt = read(written.deny(), option, "deny", min, problems);
		int abortAt = read(written.abort(), option, "abort", min, problems);
		if (!isInOrder(warnAt, denyAt, abortAt)) {
			problems.add(new Problem(List.of(option), "The numbers do not grow from 'warn' over 'deny' to 'abort'.",
					"Write them in this order, like {warn: 10, deny: 20, abort: 30}; 0 leaves one out."));
		}
		int usedDeny = (denyAt >= 0) ? denyAt : fitting(defaults.deny(), warnAt, abortAt);
		int usedWarn = (warnAt >= 0) ? warnAt : fitting(defaults.warn(), 0, (usedDeny > 0) ? usedDeny : abortAt);
		int usedAbort = (abortAt >= 0) ? abortAt : fitting(defaults.abort(), Math.max(usedWarn, usedDeny), 0);
		return new LoopSteps(usedWarn, usedDeny, usedAbort);
	}

	/** Or -1. */
	private static int read(@Nullable Integer written, String option, String step, int min, List<Problem> problems) {
		if (written != null && written != 0 && (written < min || written > MAX)) {
			problems.add(
					new Problem(List.of(option, step), "The number is neither 0 nor from %d to %d.".formatted(min, MAX),
							"Write from which number on, or 0 for never."));
			return 0;
		}
		return (written != null) ? written : -1;
	}

	private static boolean isInOrder(int... steps) {
		int last = 0;
		for (int step : steps) {
			if (step > 0 && step <= last) {
				return false;
			}
			last = Math.max(last, step);
		}
		return true;
	}

	private static int fitting(int step, int above, int below) {
		return (step > above && (below <= 0 || step < below)) ? step : 0;
	}

	boolean isNever() {
		return this.warn == 0 && this.deny == 0 && this.abort == 0;
	}

	Step at(int count) {
		return (this.abort > 0 && count >= this.abort) ? Step.ABORT : (this.deny > 0 && count >= this.deny) ? Step.DENY
				: (this.warn > 0 && count >= this.warn) ? Step.WARN : Step.NONE;
	}

	/** If the number grows with each. */
	int leftAt(int count) {
		int end = (this.deny > 0) ? this.deny : this.abort;
		return (end > 0) ? Math.max(0, end - count - 1) : Integer.MAX_VALUE;
	}

	enum Step {

		NONE, WARN, DENY, ABORT

	}

}
