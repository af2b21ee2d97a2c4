package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.suspend.ApprovalRequest;

/**
 * Ends questions soon after their time is over: no call waits for those whose turns have
 * ended.
 */
final class TimelyEnds {

	/** Other nodes ask, too, so a node looks at least so often. */
	static final Duration LONGEST = Duration.ofMinutes(5);

	private static final Duration SHORTEST = Duration.ofMillis(100);

	private static final Logger logger = LoggerFactory.getLogger(TimelyEnds.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final ApprovalStore store;

	private final DueSweep sweep;

	private final InstantSource clock;

	private final BackgroundWork work;

	/** When it will look, or long ago if it does not at all. */
	private Instant next = Instant.MIN;

	/** Counts what was planned: only the last plan counts. */
	private long plans;

	TimelyEnds(ApprovalStore store, DueSweep sweep, InstantSource clock, BackgroundWork work) {
		this.store = store;
		this.sweep = sweep;
		this.clock = clock;
		this.work = work;
	}

	void start() {
		plan(Instant.MAX, SHORTEST);
	}

	synchronized void asked(ApprovalRequest question) {
		if (question.expiresAt().isBefore(this.next)) {
			plan(question.expiresAt(), bounded(Duration.between(question.askedAt(), question.expiresAt())));
		}
	}

	private synchronized void plan(Instant at, Duration wait) {
		this.next = at;
		long plan = ++this.plans;
		this.work.execute(() -> look(plan), wait);
	}

	private synchronized boolean isLast(long plan) {
		return this.plans == plan;
	}

	/** Look, unless there is another plan, which then looks for all. */
	private void look(long plan) {
		if (!isLast(plan)) {
			return;
		}
		this.sweep.end();
		Instant at = Instant.MAX;
		Duration wait = LONGEST;
		try {
			Instant now = this.clock.instant();
			List<ApprovalRequest> first = this.store.pending(1);
			at = (first.isEmpty()) ? now.plus(LONGEST) : first.get(0).expiresAt();
			wait = bounded(Duration.between(now, at));
		}
		catch (RuntimeException ex) {
			this.warnings
				.warn("It cannot be told when the time of questions to people is over: " + ex.getClass().getName());
		}
		synchronized (this) {
			if (isLast(plan)) {
				plan(at, wait);
			}
		}
	}

	private static Duration bounded(Duration wait) {
		Duration after = wait.plus(SHORTEST);
		return (after.compareTo(SHORTEST) < 0) ? SHORTEST : (after.compareTo(LONGEST) > 0) ? LONGEST : after;
	}

}
